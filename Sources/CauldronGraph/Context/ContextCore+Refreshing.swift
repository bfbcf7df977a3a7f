import CauldronModel

extension ContextCore {
  /// Gives an object the newest row, with or without the context's unsaved edits on top.
  func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    guard object.state.isDisjoint(with: [.inserted, .fault]) else { return }
    // Other processes do not tell what they write.
    coordinator.cache.remove(object.key, root: object.layout.rootNumber)
    guard mergeChanges else {
      turnIntoFault(object)
      return note(refreshed: object)
    }
    guard !object.state.contains(.deleted) else { return }
    rebaseUnsaved(onto: ownChanges(to: object))
    refresh(object, withSettledKeys { coordinator.ledger.view(of: node) })
    object.extras?.toMany = [:]
    object.extras?.standOnTheirs()
    if object.extras?.committed != nil, let below = try? row(below: object) {
      object.extras?.committed = below
    }
    note(refreshed: object)
  }

  /// Has the end of the event tell of a refreshed object.
  func note(refreshed object: ManagedObject) {
    if event.isEmpty, refreshed.isEmpty, kind == .main, eventDepth == 0 { queueEventEnd() }
    refreshed.append(object.objectID)
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

  /// Drops an object's unsaved edits, also those of earlier events, and its values.
  private func turnIntoFault(_ object: ManagedObject) {
    if object.hasOwnChanges {
      event.removeAll { $0 === object }
      deletions.removeAll { $0 === object }
      followExchanges()
      coordinator.ledger.withdraw(object.objectID, from: node)
      forgetAllWalks()
    }
    unread.removeAll { $0 === object }
    makeFault(of: object)
  }

  /// Has an object forget its row and all that it knows.
  func makeFault(of object: ManagedObject) {
    object.extras = nil
    object.state = .fault
    object.move(to: object.layout.zero.row)
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
      uncheckedDoubt(
        node.layers.lazy.filter { $0.isUnsaved(of: node) && $0.changes.change(id) != nil })
      node.replaceWaiting { layer in
        guard layer.isUnsaved(of: node), layer.changes.change(id) != nil else { return layer }
        let rest = layer.changes.without(id, number: changeSetID())
        return rest.count > 0 ? Layer(changes: rest, origin: node) : nil
      }
    }
  }
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
