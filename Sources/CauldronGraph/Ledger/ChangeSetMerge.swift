import CauldronModel

/// Merges two consecutive change sets into one that has the same effect.
///
/// What a property was before is what it was before the older change of it.
struct ChangeSetMerge {
  /// Made where a base has to be composed, which is seldom.
  private lazy var builder = RowBuilder()

  /// The merged set.
  static func merge(_ first: ChangeSet, _ second: ChangeSet, id: UInt64) -> ChangeSet {
    var merge = ChangeSetMerge()
    var entities: [EntityChanges] = []
    let numbers = Set((first.entities + second.entities).map(\.entity.number)).sorted()
    for number in numbers {
      switch (first.changes(to: number), second.changes(to: number)) {
      case (let only?, nil), (nil, let only?): entities.append(only)
      case (let a?, let b?): entities.append(merge.merge(a, b))
      case (nil, nil): continue
      }
    }
    return ChangeSet(
      id: id, entities: entities.filter { $0.count > 0 }, from: [first, second])
  }

  private mutating func merge(_ a: EntityChanges, _ b: EntityChanges) -> EntityChanges {
    var inserted: [RowPointer] = []
    var updated: [RowUpdate] = []
    var deleted: [RowDeletion] = []
    var handled: Set<Int64> = []
    for row in a.inserted {
      switch b.change(row.key) {
      case nil: inserted.append(row)
      case .updated(let update): inserted.append(update.row)
      case .inserted(let newer): inserted.append(newer)
      case .deleted: break
      }
      if b.updated.count + b.deleted.count > 0 { handled.insert(row.key) }
    }
    for update in a.updated {
      handled.insert(update.row.key)
      switch b.change(update.row.key) {
      case .updated(let newer):
        let base = base(update, newer.base, a.entity)
        updated.append(merge(update, newer, base))
      case .deleted(let deletion):
        deleted.append(RowDeletion(base: base(update, deletion.base, a.entity)))
      case nil, .inserted: updated.append(update)
      }
    }
    deleted += a.deleted
    inserted += b.inserted
    updated += b.updated.filter { !handled.contains($0.row.key) }
    deleted += b.deleted.filter { !handled.contains($0.key) }
    return EntityChanges(
      entity: a.entity, inserted: inserted, updated: updated, deleted: deleted)
  }

  private func merge(_ older: RowUpdate, _ newer: RowUpdate, _ base: RowPointer) -> RowUpdate {
    RowUpdate(
      row: newer.row, base: base, changed: older.changed.union(newer.changed),
      first: older.first,
      nullified: older.nullified.subtracting(newer.changed).union(newer.nullified))
  }

  /// What an object showed before both of two changes, given what it showed before the newer one.
  private mutating func base(
    _ older: RowUpdate, _ newer: RowPointer, _ entity: EntityLayout
  ) -> RowPointer {
    let isSame =
      newer == older.row || newer.maker == older.row.maker && newer.maker != RowPointer.composed
    if isSame { return older.base }
    // Others' changes were taken in between the two.
    return builder.merge(older.changed, from: older.base, onto: newer, entity)
  }
}
