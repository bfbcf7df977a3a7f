package import CauldronModel
import CauldronStore

extension Layer {
  /// The save that the changes belong to, as errors name it.
  package var party: SaveParty {
    ticket?.party
      ?? SaveParty(saveID: 0, contextName: origin.owner?.name ?? "", name: "")
  }
}

extension CauldronError {
  /// A conflict's error with the two saves that are at odds; any other error as it is.
  /// - Parameters:
  ///   - party: The save whose changes were refused.
  ///   - receiver: The context whose waiting changes they were compared with; nil for the store.
  package func naming(
    _ party: SaveParty, in receiver: LedgerNode?, on coordinator: PersistentStoreCoordinator
  ) -> CauldronError {
    guard [.saveConflict, .saveDependency].contains(code), save == nil else { return self }
    return with {
      $0.save = party
      $0.otherSave = other(than: party, in: receiver, on: coordinator)
    }
  }

  private func other(
    than party: SaveParty, in receiver: LedgerNode?, on coordinator: PersistentStoreCoordinator
  ) -> SaveParty? {
    guard let id = objectIDs.first else { return nil }
    let properties = conflicts.first.map { Set($0.properties.map(\.name)) }
    if let receiver,
      let layer = coordinator.ledger.layer(touching: id, in: properties, to: receiver),
      layer.ticket?.saveID != party.saveID
    {
      return layer.party
    }
    guard let root = coordinator.layout(id)?.root.number else { return nil }
    let version = coordinator.cache.known(id.key, root: root)??.row.version
    let found = coordinator.committed.ticket(id.key, root: root, version: version)?.party
    return found?.saveID == party.saveID ? nil : found
  }
}

extension ChangeLedger {
  /// The newest layer that has created or deleted an object, or changed one of the properties, of
  /// those that wait in a context or above it.
  /// - Parameter properties: Nil for any.
  package func layer(
    touching id: ManagedObjectID, in properties: Set<String>?, to node: LedgerNode
  ) -> Layer? {
    let layers = withLock { uncheckedChain(to: node).layers }
    return layers.last { layer in
      guard let set = layer.changes.changes(to: id.entityNumber), let change = set.change(id.key)
      else { return false }
      guard case .updated(let update) = change, let properties else { return true }
      return update.changed.indices.contains {
        properties.contains(set.entity.properties[$0].name)
      }
    }
  }
}
