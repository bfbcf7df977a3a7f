import CauldronModel

// What is set back is no edit any more, though others of the same object may be.
extension ContextCore {
  /// The properties of an object that were set back, and a row that shows them.
  private typealias SetBack = (properties: PropertySet, row: RowPointer)

  /// Takes properties that were set back out of the context's own unsaved changes to objects that it has
  /// changed otherwise, too: what others make of them is shown, and is no conflict.
  /// - Complexity: O(objects · own layers).
  func dropSetBack(_ restored: [ManagedObjectID: PropertySet]) {
    let (layers, others) = coordinator.ledger.droppable(of: node)
    var all: [ManagedObjectID: SetBack] = [:]
    for (id, properties) in restored {
      let changes = layers.compactMap { $0.changes.change(id) }
      guard let layout = coordinator.layout(id), let row = changes.last?.row,
        changes.areApart(from: others, id)
      else { continue }
      let setBack = changes.setBack(layout).intersection(properties)
      if !setBack.isEmpty { all[id] = (setBack, row) }
    }
    if all.isEmpty { return }
    var replacements: [ObjectIdentifier: Layer] = [:]
    for layer in layers where all.keys.contains(where: { layer.changes.change($0) != nil }) {
      replacements[ObjectIdentifier(layer)] = without(all, layer)
    }
    coordinator.ledger.replace(replacements, in: node)
    let objects = all.keys.compactMap { registeredObject($0) }
    takeInHidden(objects.filter { isMerging || $0.extras?.edits.isOvertaken == true })
  }

  private func without(_ all: [ManagedObjectID: SetBack], _ layer: Layer) -> Layer {
    let sets = layer.changes.entities.map { set in
      let updated = set.updated.compactMap { update -> RowUpdate? in
        guard let setBack = all[coordinator.id(update.row.key, set.entity)] else { return update }
        return without(setBack, update, set.entity)
      }
      return EntityChanges(
        entity: set.entity, inserted: set.inserted, updated: updated, deleted: set.deleted)
    }
    return layer.with(
      changes: ChangeSet(
        id: coordinator.ledger.changeSetID(), entities: sets.filter { $0.count > 0 },
        from: [layer.changes]))
  }

  /// - Returns: Nil if nothing is left of the update.
  private func without(
    _ setBack: SetBack, _ update: RowUpdate, _ entity: EntityLayout
  ) -> RowUpdate? {
    let changed = update.changed.subtracting(setBack.properties)
    if changed.isEmpty { return nil }
    func row(_ row: RowPointer) -> RowPointer {
      let differing = row.difference(from: setBack.row, entity).intersection(setBack.properties)
      if differing.isEmpty { return row }
      return builder.merge(differing, from: setBack.row, onto: row, entity)
    }
    let base = row(update.base)
    return RowUpdate(
      row: row(update.row), base: base, changed: changed,
      first: update.first == update.base ? base : row(update.first),
      nullified: update.nullified.intersection(changed), alone: update.alone)
  }
}
