import CauldronModel

extension ContextCore {
  /// Gives an object the newest row, with or without the context's unsaved edits on top.
  func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    guard object.state.isDisjoint(with: [.inserted, .fault]) else { return }
    guard mergeChanges else { return turnIntoFault(object) }
    guard !object.state.contains(.deleted) else { return }
    rebaseUnsaved(onto: ownChanges(to: object))
    refresh(object, coordinator.ledger.chain(to: node))
    object.extras?.toMany = [:]
    if object.extras?.committed != nil { object.extras?.committed = rowBelow(object) }
  }

  /// The context's own unsaved changes to an object, in sets of their own.
  private func ownChanges(to object: ManagedObject) -> [ChangeSet] {
    guard object.hasOwnChanges else { return [] }
    return coordinator.ledger.layers(of: node).compactMap { layer in
      guard layer.isUnsaved(of: node),
        case .updated(let update) = layer.changes.change(object.objectID)
      else { return nil }
      let set = EntityChanges(
        entity: object.layout, inserted: [], updated: [update], deleted: [],
        blocks: [update.row.block, update.base.block])
      return ChangeSet(id: coordinator.ledger.changeSetID(), entities: [set])
    }
  }

  /// The row of an object without what the context has not saved.
  private func rowBelow(_ object: ManagedObject) -> HeldRow? {
    let ledger = coordinator.ledger
    let chain = ledger.withLock { ledger.uncheckedChain(to: node.parent) }
    let id = object.objectID
    let stored = chain.inserts(id) ? nil : try? coordinator.storedRow(id, object.layout)
    let row = withExtendedLifetime(stored) {
      chain.compose(stored?.row, id, object.layout, &builder)?.held
    }
    builder.close()
    return row
  }

  /// Drops an object's unsaved edits, also those of earlier events, and its values.
  private func turnIntoFault(_ object: ManagedObject) {
    if object.hasOwnChanges {
      event.removeAll { $0 === object }
      deletions.removeAll { $0 === object }
      coordinator.ledger.withdraw(object.objectID, from: node)
      forgetAllWalks()
    }
    object.extras = nil
    object.state = .fault
    object.row = object.layout.zero.row.words
    object.owner = object.layout.zero.block
  }

  /// Forgets every walked to-many relationship; the next walk reads anew.
  /// - Complexity: O(registered objects); nothing where none was walked.
  func forgetAllWalks() {
    guard hasWalks else { return }
    hasWalks = false
    for object in identity.objects() { object.extras?.toMany = [:] }
  }
}

extension ManagedObject {
  fileprivate var hasOwnChanges: Bool {
    !state.isDisjoint(with: [.updated, .deleted, .inEvent])
  }
}

extension ChangeLedger {
  /// Takes a context's own unsaved changes to an object out of its layers.
  func withdraw(_ id: ManagedObjectID, from node: LedgerNode) {
    withLock {
      for index in node.layers.indices.dropFirst(node.inFlight) {
        let layer = node.layers[index]
        guard layer.isUnsaved(of: node), layer.changes.change(id) != nil else { continue }
        node.layers[index] = Layer(
          changes: layer.changes.without(id, number: changeSetID()), origin: node)
      }
      node.layers.removeAll { $0.isUnsaved(of: node) && $0.changes.count == 0 }
    }
  }
}

extension Layer {
  fileprivate func isUnsaved(of node: LedgerNode) -> Bool { ticket == nil && origin === node }
}

extension ChangeSet {
  fileprivate func without(_ id: ManagedObjectID, number: UInt64) -> ChangeSet {
    let rest = entities.map { set in
      guard set.entity.number == id.entityNumber else { return set }
      return EntityChanges(
        entity: set.entity, inserted: set.inserted.filter { $0.key != id.key },
        updated: set.updated.filter { $0.row.key != id.key },
        deleted: set.deleted.filter { $0.key != id.key }, blocks: set.blocks)
    }
    return ChangeSet(id: number, entities: rest.filter { $0.count > 0 })
  }
}
