import CauldronModel

/// Merges two consecutive change sets into one that has the same effect.
enum ChangeSetMerge {
  /// The merged set.
  static func merge(_ first: ChangeSet, _ second: ChangeSet, id: UInt64) -> ChangeSet {
    var entities: [EntityChanges] = []
    let numbers = Set((first.entities + second.entities).map(\.entity.number)).sorted()
    for number in numbers {
      switch (first.changes(to: number), second.changes(to: number)) {
      case (let only?, nil), (nil, let only?): entities.append(only)
      case (let a?, let b?): entities.append(merge(a, b))
      case (nil, nil): continue
      }
    }
    return ChangeSet(id: id, entities: entities.filter { $0.count > 0 })
  }

  private static func merge(_ a: EntityChanges, _ b: EntityChanges) -> EntityChanges {
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
        updated.append(
          RowUpdate(
            row: newer.row, base: update.base, changed: update.changed.union(newer.changed)))
      case .deleted: deleted.append(RowDeletion(base: update.base))
      case nil, .inserted: updated.append(update)
      }
    }
    deleted += a.deleted
    inserted += b.inserted
    updated += b.updated.filter { !handled.contains($0.row.key) }
    deleted += b.deleted.filter { !handled.contains($0.key) }
    return EntityChanges(
      entity: a.entity, inserted: inserted, updated: updated, deleted: deleted,
      blocks: a.blocks + b.blocks)
  }
}
