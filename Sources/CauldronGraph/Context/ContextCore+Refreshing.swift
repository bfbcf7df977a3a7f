import CauldronModel

extension ContextCore {
  /// Gives an object the newest row, with or without the context's unsaved edits on top.
  ///
  /// The edits are made anew on the newest row, so that saving them is no conflict.
  func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    guard object.state.isDisjoint(with: [.inserted, .fault]) else { return }
    if mergeChanges, object.state.contains(.deleted) { return }
    let edited = RowPointer(object.row).held(by: object.owner)
    let edits = object.extras?.committed.map { edited.row.difference(from: $0.row, object.layout) }
    let transient = object.extras?.transient ?? [:]
    turnIntoFault(object)
    guard mergeChanges else { return }
    fire(object)
    if !transient.isEmpty { object.makeExtras().transient = transient }
    guard let edits, !edits.isEmpty, !object.state.contains(.gone) else { return }
    prepareWrite(object)
    for index in edits.indices {
      let row = builder.copyProperty(
        index, from: edited.row, to: RowPointer(object.row), object.layout)
      guard row.words != object.row else { continue }
      object.row = row.words
      object.owner = builder.block
    }
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
