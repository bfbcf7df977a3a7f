import CauldronModel

extension Layer {
  /// The save that the changes belong to, as errors name it.
  var party: SaveParty {
    ticket?.party
      ?? SaveParty(saveID: 0, contextName: origin.core?.name ?? "", name: "")
  }
}

extension PersistentStoreCoordinator {
  /// A conflict's error with the two saves that are at odds; any other error as it is.
  /// - Parameters:
  ///   - party: The save whose changes were refused.
  ///   - receiver: Where the changes were compared with what waits; nil for the store.
  func naming(
    _ error: CauldronError, _ party: SaveParty, in receiver: LedgerNode?
  ) -> CauldronError {
    guard error.code == .saveConflict, error.save == nil else { return error }
    return error.with {
      $0.save = party
      $0.otherSave = error.objectIDs.first.flatMap { other(than: party, $0, in: receiver) }
    }
  }

  private func other(
    than party: SaveParty, _ id: ManagedObjectID, in receiver: LedgerNode?
  ) -> SaveParty? {
    if let receiver, let layer = ledger.layer(touching: id, to: receiver),
      layer.ticket?.saveID != party.saveID
    {
      return layer.party
    }
    guard let root = layout(id)?.root.number else { return nil }
    let version = cache.known(id.key, root: root)??.row.version
    let found = committed.ticket(id.key, root: root, version: version)?.party
    return found?.saveID == party.saveID ? nil : found
  }
}

extension ChangeLedger {
  /// The newest layer that touches an object, of those that wait in a context or above it.
  func layer(touching id: ManagedObjectID, to node: LedgerNode) -> Layer? {
    let runs = withLock { uncheckedChain(to: node).runs }
    return runs.reversed().lazy.compactMap { run in
      run.layers.last { $0.changes.change(id) != nil }
    }.first
  }
}
