import CauldronLedger
import CauldronModel
import CauldronStore

extension PersistentStoreCoordinator {
  /// Lists a context among those that merge by themselves, or takes it off the list.
  func setMerging(_ core: ContextCore, _ isMerging: Bool) {
    core.settings.withLock { $0.isMerging = isMerging }
    ledger.setMerging(isMerging, core.node)
  }

  /// Has an event follow in each context that a save has reached. Called without locks: with an event may
  /// end the last reference to a context.
  func wakeReached() {
    for node in ledger.takeReached() {
      node.inbox.shorten()
      node.owner?.catchUpSoon()
    }
  }

  /// Tells the saves whose changes went back, and the contexts that these came back to.
  func announceReturns(_ returned: [(Layer, CauldronError)]) {
    for (layer, error) in returned {
      layer.ticket?.resolve(.failed(error))
      ledger.note(refusal: error, of: ledger.home(of: layer))
    }
    if !returned.isEmpty { wakeReached() }
  }
}
