import CauldronModel
import CauldronStore
import Logging

// While a store is watched, commits of other processes are noticed without a read.
extension PersistentStoreCoordinator {
  /// Has commits of other processes be noticed within moments, until `stopWatchingOthers()` was called as
  /// often: the row cache lets go, and the objects of contexts that merge are read anew.
  package func watchOthers() {
    if isClosed { return }
    let complaint = lookout.withLock { lookout in
      lookout.add { try store.watchForeignWrites { [weak self] in self?.othersHaveCommitted() } }
    }
    guard let complaint else { return }
    logger.notice("Commits of other processes \(complaint)")
  }

  package func stopWatchingOthers() { lookout.withLock { $0.remove() } }

  /// Distrusts all that is cached, and has the contexts that merge read their objects anew.
  private func othersHaveCommitted() {
    if isClosed { return }
    distrustRows(isTold: true)
    logger.debug("Another process has saved")
    for node in ledger.mergingNodes { node.owner?.catchUpSoon() }
  }
}
