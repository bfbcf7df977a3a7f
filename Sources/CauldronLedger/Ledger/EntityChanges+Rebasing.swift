package import CauldronModel
package import CauldronStore

extension EntityChanges {
  /// The same changes, those to some rows made from others.
  /// - Parameter bases: The rows that they count as made from.
  package func rebased(onto bases: [Int64: HeldRow], _ builder: inout RowBuilder) -> EntityChanges {
    var held = RowMemory()
    let updated = updated.compactMap { update -> RowUpdate? in
      guard let base = bases[update.row.key] else { return update }
      // What the newest row has already is no edit.
      let changed = update.changed.subtracting(update.lapsed(on: base.row))
        .intersection(update.row.difference(from: base.row, entity))
      if changed.isEmpty { return nil }
      let row = builder.merge(changed, from: update.row, onto: base.row, entity)
      row.setVersion(base.row.nextVersion)
      held.keep(row)
      return RowUpdate(
        row: row, base: base.row, changed: changed,
        nullified: update.nullified.intersection(changed), alone: update.alone,
        isRestored: update.isRestored)
    }
    let deleted = deleted.map { bases[$0.key].map { RowDeletion(base: $0.row) } ?? $0 }
    builder.close()
    return withExtendedLifetime((held, bases)) {
      EntityChanges(entity: entity, inserted: inserted, updated: updated, deleted: deleted)
    }
  }
}
