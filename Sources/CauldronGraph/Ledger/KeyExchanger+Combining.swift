import CauldronModel

// Two objects that have become one have one change: what was done to each of them was done to it.
extension KeyExchanger {
  /// The changes, those of one row as one.
  mutating func combined(
    _ entity: EntityLayout, _ inserted: [RowPointer], _ updated: [RowUpdate],
    _ deleted: [RowDeletion]
  ) -> EntityChanges {
    var known: Set<Int64> = []
    let keys = [inserted.map(\.key), updated.map(\.row.key), deleted.map(\.key)].joined()
    if keys.allSatisfy({ known.insert($0).inserted }) {
      return EntityChanges(
        entity: entity, inserted: inserted, updated: updated, deleted: deleted)
    }
    var rows = CombinedRows()
    for row in inserted {
      rows.change(row.key) { $0.inserted = combined($0.inserted, row, entity) }
    }
    for update in updated {
      rows.change(update.row.key) { $0.updated = combined($0.updated, update, entity) }
    }
    for deletion in deleted { rows.change(deletion.key) { $0.deleted = $0.deleted ?? deletion } }
    return rows.changes(entity) { combined($0, entity) }
  }

  private mutating func combined(
    _ first: RowPointer?, _ second: RowPointer, _ entity: EntityLayout
  ) -> RowPointer {
    guard let first, !entity.isJoin else { return first ?? second }
    let set = second.difference(from: entity.template.row, entity)
      .subtracting(PropertySet(entity.computedDefaults.map(\.index)))
    return combined(set, from: second, onto: first, entity)
  }

  private mutating func combined(
    _ first: RowUpdate?, _ second: RowUpdate, _ entity: EntityLayout
  ) -> RowUpdate {
    guard let first else { return second }
    let others = second.changed.subtracting(first.changed)
    return RowUpdate(
      row: combined(second.changed, from: second.row, onto: first.row, entity),
      base: combined(others, from: second.base, onto: first.base, entity),
      changed: first.changed.union(second.changed), first: first.first,
      nullified: first.nullified.subtracting(second.changed).union(second.nullified),
      alone: first.alone ?? second.alone)
  }

  /// Leaves one change of the row: a deletion ends edits, and what was deleted and made again is
  /// changed, as is what exists and was made once more.
  private mutating func combined(
    _ row: CombinedRows.Changes, _ entity: EntityLayout
  ) -> CombinedRows.Changes {
    switch (row.inserted, row.updated, row.deleted) {
    case (let inserted?, _, let deletion?):
      let changed = inserted.difference(from: deletion.base, entity)
      if entity.isJoin || changed.isEmpty { return .init() }
      return .init(updated: RowUpdate(row: inserted, base: deletion.base, changed: changed))
    case (nil, _, let deletion?): return .init(deleted: deletion)
    case (let inserted?, let update?, nil):
      if entity.isJoin { return .init(inserted: inserted) }
      return .init(updated: combined(inserted, with: update, entity))
    case (_, _, nil): return row
    }
  }

  /// What was set of a new object is an edit of the one that it has become.
  private mutating func combined(
    _ inserted: RowPointer, with update: RowUpdate, _ entity: EntityLayout
  ) -> RowUpdate {
    let own = inserted.difference(from: entity.template.row, entity)
      .intersection(inserted.difference(from: update.row, entity))
      .subtracting(PropertySet(entity.computedDefaults.map(\.index)))
      .subtracting(update.changed)
    return RowUpdate(
      row: combined(own, from: inserted, onto: update.row, entity), base: update.base,
      changed: update.changed.union(own), first: update.first, nullified: update.nullified,
      alone: combined(update.changed, from: update.row, onto: inserted, entity))
  }

  private mutating func combined(
    _ properties: PropertySet, from source: RowPointer, onto base: RowPointer,
    _ entity: EntityLayout
  ) -> RowPointer {
    if properties.isEmpty { return base }
    let row = builder.merge(properties, from: source, onto: base, entity)
    builder.close()
    row.setVersion(base.version)
    return row
  }
}

/// What a change set does to rows of one entity, row by row.
private struct CombinedRows {
  struct Changes {
    var inserted: RowPointer?
    var updated: RowUpdate?
    var deleted: RowDeletion?
  }

  private var byKey: [Int64: Changes] = [:]
  /// The keys, in the order in which they came.
  private var keys: [Int64] = []

  mutating func change(_ key: Int64, _ body: (inout Changes) -> Void) {
    if byKey[key] == nil { keys.append(key) }
    body(&byKey[key, default: Changes()])
  }

  /// - Parameter combine: Leaves one change of each row, or none.
  func changes(_ entity: EntityLayout, _ combine: (Changes) -> Changes) -> EntityChanges {
    let rows = keys.compactMap { byKey[$0].map(combine) }
    return EntityChanges(
      entity: entity, inserted: rows.compactMap(\.inserted), updated: rows.compactMap(\.updated),
      deleted: rows.compactMap(\.deleted))
  }
}
