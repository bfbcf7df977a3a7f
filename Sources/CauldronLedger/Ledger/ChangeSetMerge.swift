import CauldronModel
package import CauldronStore

/// Merges two consecutive change sets into one that has the same effect.
///
/// What a property was before is what it was before the older change of it.
package struct ChangeSetMerge {
  /// The number of the merged set.
  private let id: UInt64
  /// Made where a row has to be composed, which is seldom.
  private lazy var builder = RowBuilder()

  private init(id: UInt64) { self.id = id }

  /// The merged set.
  package static func merge(_ first: ChangeSet, with second: ChangeSet, id: UInt64) -> ChangeSet {
    var merge = ChangeSetMerge(id: id)
    var entities: [EntityChanges] = []
    let numbers = Set((first.entities + second.entities).map(\.entity.number)).sorted()
    for number in numbers {
      switch (first.changes(to: number), second.changes(to: number)) {
      case (let only?, nil), (nil, let only?): entities.append(only)
      case (let a?, let b?):
        entities.append(a.entity.isJoin ? merge.mergeLinks(a, with: b) : merge.merge(a, with: b))
      case (nil, nil): continue
      }
    }
    return ChangeSet(
      id: id, entities: entities.filter { $0.count > 0 }, from: [first, second])
  }

  /// A link that is made twice is one, and one that is taken away and made again was there always,
  /// perhaps in another place.
  private mutating func mergeLinks(_ a: EntityChanges, with b: EntityChanges) -> EntityChanges {
    var again: [RowUpdate] = []
    for deletion in a.deleted {
      guard case .inserted(let row)? = b.change(deletion.key) else { continue }
      let changed = row.difference(from: deletion.base, a.entity)
      if !changed.isEmpty {
        again.append(RowUpdate(row: row, base: deletion.base, changed: changed))
      }
    }
    let first = EntityChanges(
      entity: a.entity, inserted: a.inserted, updated: a.updated,
      deleted: a.deleted.filter { b.change($0.key)?.kind != .insertion })
    let second = EntityChanges(
      entity: a.entity, inserted: b.inserted.filter { a.change($0.key) == nil }, updated: b.updated,
      deleted: b.deleted.filter { a.change($0.key)?.kind != .deletion })
    let merged = merge(first, with: second)
    return EntityChanges(
      entity: a.entity, inserted: merged.inserted, updated: merged.updated + again,
      deleted: merged.deleted)
  }

  private mutating func merge(_ a: EntityChanges, with b: EntityChanges) -> EntityChanges {
    var inserted: [RowPointer] = []
    var updated: [RowUpdate] = []
    var deleted: [RowDeletion] = []
    var handled: Set<Int64> = []
    for row in a.inserted {
      switch b.change(row.key) {
      case nil: inserted.append(row)
      case .updated(let update): inserted.append(merge(row, with: update, of: a.entity))
      case .inserted(let newer): inserted.append(newer)
      case .deleted: break
      }
      if b.updated.count + b.deleted.count > 0 { handled.insert(row.key) }
    }
    for update in a.updated {
      handled.insert(update.row.key)
      switch b.change(update.row.key) {
      case .updated(let newer): updated.append(merge(update, with: newer, of: a.entity))
      case .deleted(let deletion):
        deleted.append(
          RowDeletion(base: base(of: update, merging: deletion.base, entity: a.entity)))
      case nil, .inserted: updated.append(update)
      }
    }
    // A row that comes back was there always.
    deleted += a.deleted.filter { deletion in
      guard case .updated(let update)? = b.change(deletion.key) else { return true }
      return !update.isRestored
    }
    inserted += b.inserted
    updated += b.updated.filter { !handled.contains($0.row.key) }
    deleted += b.deleted.filter { !handled.contains($0.key) }
    return EntityChanges(
      entity: a.entity, inserted: inserted, updated: updated, deleted: deleted)
  }

  private mutating func merge(
    _ older: RowUpdate, with newer: RowUpdate, of entity: EntityLayout
  ) -> RowUpdate {
    RowUpdate(
      row: row(older, with: newer, of: entity),
      base: base(of: older, merging: newer.base, entity: entity),
      changed: older.changed.union(newer.changed), first: older.first,
      nullified: newer.nullified(after: older),
      alone: alone(older, with: newer, of: entity), isRestored: older.isRestored || newer.isRestored
    )
  }

  /// What both changes insert where the row that they change never was.
  private mutating func alone(
    _ older: RowUpdate, with newer: RowUpdate, of entity: EntityLayout
  ) -> RowPointer? {
    older.alone.map {
      made(builder.merge(newer.changed, from: newer.row, onto: $0, entity), versionOf: $0)
    }
      ?? newer.alone
  }

  /// The row after both changes. Changes from elsewhere in between are no part of it: they were
  /// taken in, or have gone back to where they were made.
  private mutating func row(
    _ older: RowUpdate, with newer: RowUpdate, of entity: EntityLayout
  ) -> RowPointer {
    if newer.base.hasMaker(of: older.row) { return newer.row }
    let kept = older.changed.subtracting(newer.changed)
      .intersection(newer.row.difference(from: older.row, entity))
    if kept.isEmpty { return newer.row }
    return made(builder.merge(kept, from: older.row, onto: newer.row, entity), versionOf: newer.row)
  }

  /// The same for a row that the older change has inserted.
  private mutating func merge(
    _ inserted: RowPointer, with newer: RowUpdate, of entity: EntityLayout
  ) -> RowPointer {
    if newer.base.hasMaker(of: inserted) { return newer.row }
    return made(
      builder.merge(newer.changed, from: newer.row, onto: inserted, entity), versionOf: newer.row)
  }

  private func made(_ row: RowPointer, versionOf newer: RowPointer) -> RowPointer {
    row.setVersion(newer.version)
    row.setMaker(id)
    return row
  }

  /// What an object showed before both of two changes, given what it showed before the newer one.
  private mutating func base(
    of older: RowUpdate, merging newer: RowPointer, entity: EntityLayout
  ) -> RowPointer {
    if newer.hasMaker(of: older.row) { return older.base }
    // Others' changes were taken in between the two.
    return builder.merge(older.changed, from: older.base, onto: newer, entity)
  }
}

extension Array {
  /// The elements of two sorted sequences, sorted, in one pass; of equal ones those of the first come
  /// first.
  @inline(__always)
  package init(
    merging first: [Element], _ second: some Collection<Element>,
    by precedes: (Element, Element) -> Bool
  ) {
    self = []
    reserveCapacity(first.count + second.count)
    var i = 0
    for element in second {
      while i < first.count, !precedes(element, first[i]) {
        append(first[i])
        i += 1
      }
      append(element)
    }
    self += first[i...]
  }

  /// The position of the first element of a sorted array that does not come before what is looked for.
  @inline(__always)
  package func lowerBound(_ comesBefore: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if comesBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
