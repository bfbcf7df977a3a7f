import CauldronModel

extension PersistentStoreCoordinator {
  /// Takes over what a commit wrote, in the order of the commits: the store calls it before anybody
  /// else can write. So the cache never goes back, and at most one commit is in flight.
  /// - Parameters:
  ///   - layers: The layers at the start of the node's list that were to be written.
  ///   - receipt: What became of them; nil where the commit has failed or nobody knows.
  func commitEnds(_ layers: [Layer], _ receipt: SaveReceipt?, _ node: LedgerNode) {
    guard let receipt else { return ledger.withLock { ledger.uncheckedCommitEnds() } }
    ledger.commitIsRecorded()
    for index in receipt.survivors { record(layers[index]) }
    outdate(receipt.touched)
    let failed = zip(layers, receipt.failures).filter { $1 != nil }.map(\.0)
    ledger.land(node, count: layers.count, failed: failed)
  }

  /// Takes over that a layer is in the store.
  func record(_ layer: Layer) { record(layer.changes) }

  /// Takes over that changes are in the store.
  func record(_ changes: ChangeSet) {
    ledger.noteCommitted(.changes(changes))
    // Links are never cached.
    for set in changes.entities where !set.entity.isJoin {
      cache.apply(set)
      outdateDerived(set)
      results.outdate(set)
      keys.markCommitted(set)
    }
  }
}
