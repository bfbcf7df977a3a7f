package import CauldronModel
import CauldronStore

extension Layer {
  /// The save that the changes belong to, as errors name it.
  package var party: SaveParty {
    ticket?.party
      ?? SaveParty(saveID: 0, contextName: origin.owner?.name ?? "", name: "")
  }
}

extension PersistentStoreCoordinator {
  /// A conflict's error with the two saves that are at odds; any other error as it is.
  /// - Parameters:
  ///   - party: The save whose changes were refused.
  ///   - receiver: Where the changes were compared with what waits; nil for the store.
  package func naming(
    _ error: CauldronError, _ party: SaveParty, in receiver: LedgerNode?
  ) -> CauldronError {
    guard [.saveConflict, .saveDependency].contains(error.code), error.save == nil else {
      return error
    }
    return error.with {
      $0.save = party
      let properties = error.conflicts.first.map { Set($0.properties.map(\.name)) }
      $0.otherSave = error.objectIDs.first.flatMap {
        other(than: party, $0, properties, in: receiver)
      }
    }
  }

  private func other(
    than party: SaveParty, _ id: ManagedObjectID, _ properties: Set<String>?,
    in receiver: LedgerNode?
  ) -> SaveParty? {
    if let receiver, let layer = ledger.layer(touching: id, properties, to: receiver),
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
  /// The newest layer that has created or deleted an object, or changed one of the properties, of
  /// those that wait in a context or above it.
  /// - Parameter properties: Nil for any.
  package func layer(
    touching id: ManagedObjectID, _ properties: Set<String>?, to node: LedgerNode
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
