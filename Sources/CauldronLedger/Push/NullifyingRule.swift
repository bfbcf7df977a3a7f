import CauldronModel
import CauldronStore

/// Takes references away that do not stand.
struct NullifyingRule: PushRule {
  let draft: PushDraft

  /// Takes references away that do not stand: out of the layer's own rows, and out of those that the
  /// layer did not know of, as a delete rule would have.
  func nullifying(
    _ lost: [ManagedObjectID: ReferenceVerdict.Lost], among sets: [EntityChanges]
  ) -> [EntityChanges] {
    var rest = lost
    var result = sets.map { nullifying(&rest, in: $0) }
    for (number, others) in Dictionary(grouping: rest.values, by: \.entity.number) {
      let updates = others.sorted { $0.row.key < $1.row.key }.map { nullified($0) }
      if let index = result.firstIndex(where: { $0.entity.number == number }) {
        let set = result[index]
        result[index] = EntityChanges(
          entity: set.entity, inserted: set.inserted, updated: set.updated + updates,
          deleted: set.deleted)
      } else if let entity = others.first?.entity {
        result.append(
          EntityChanges(entity: entity, inserted: [], updated: updates, deleted: []))
      }
    }
    return result
  }

  private func nullifying(
    _ lost: inout [ManagedObjectID: ReferenceVerdict.Lost], in set: EntityChanges
  ) -> EntityChanges {
    guard lost.values.contains(where: { $0.entity === set.entity }) else { return set }
    let inserted = set.inserted.map { row in
      guard let found = lost.removeValue(forKey: coordinator.id(row.key, of: set.entity)) else {
        return row
      }
      note(found.properties.subtracting(found.silent), was: nil, row: row, of: set.entity)
      return draft.cleared(row, properties: found.properties, of: set.entity)
    }
    let updated = set.updated.compactMap { update in
      guard let found = lost.removeValue(forKey: coordinator.id(update.row.key, of: set.entity))
      else {
        return update
      }
      let own = found.properties.intersection(update.changed).subtracting(found.silent)
      note(own, was: update.base, row: update.row, of: set.entity)
      return nullified(update, properties: found.properties, of: set.entity)
    }
    return EntityChanges(
      entity: set.entity, inserted: inserted, updated: updated, deleted: set.deleted)
  }

  /// Records that references which a save has made are dropped.
  private func note(
    _ properties: PropertySet, was: RowPointer?, row: RowPointer, of entity: EntityLayout
  ) {
    for index in properties.indices {
      draft.resolutions.append(
        SaveResolution(
          objectID: coordinator.id(row.key, of: entity), entityName: entity.name,
          property: entity.properties[index].name, outcome: .tookTheirs,
          was: was?.scalar(index, .integer), theirs: .null, mine: row.scalar(index, .integer)))
    }
  }

  /// An update that leaves references nil; nil if nothing is left of it.
  private func nullified(
    _ update: RowUpdate, properties: PropertySet, of entity: EntityLayout
  ) -> RowUpdate? {
    let wereNil = PropertySet(properties.indices.filter { update.base.isNull($0) })
    let changed = update.changed.union(properties).subtracting(wereNil)
    if changed.isEmpty { return nil }
    // What the update has made lead elsewhere is its own edit still.
    let rule = properties.subtracting(wereNil).subtracting(update.changed)
    return RowUpdate(
      row: draft.cleared(update.row, properties: properties, of: entity), base: update.base,
      changed: changed,
      first: update.first, nullified: update.nullified.union(rule).intersection(changed),
      alone: update.alone.map { draft.cleared($0, properties: properties, of: entity) },
      isRestored: update.isRestored)
  }

  /// The update of a row that the layer did not know of.
  private func nullified(_ lost: ReferenceVerdict.Lost) -> RowUpdate {
    let row = draft.cleared(lost.row, properties: lost.properties, of: lost.entity)
    row.setVersion(lost.row.nextVersion)
    return RowUpdate(
      row: row, base: lost.row, changed: lost.properties, nullified: lost.properties)
  }
}
