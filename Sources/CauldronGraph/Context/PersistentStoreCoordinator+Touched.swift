import CauldronModel

extension PersistentStoreCoordinator {
  /// Tells of rows that the store has changed in a save: the contexts on the coordinator, those that
  /// take in what others save, and those that the save came from or passed.
  func tell(_ keys: BatchKeys, of origins: [LedgerNode]) {
    for node in ledger.nodes.all {
      guard let core = node.core else { continue }
      if node.parent == nil || core.isMerging || origins.contains(where: { $0.isBelow(node) }) {
        core.receive(keys)
      }
    }
  }
}
