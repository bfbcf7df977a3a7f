import CauldronModel
import CauldronQuery
import CauldronStore

/// Says what a new object changes of the existing one that it turns out to be.
struct ExistingObjectRule: PushRule {
  let draft: PushDraft

  /// What a new row changes of one that exists and has its unique values; nil for nothing, or for a
  /// conflict.
  func joined(
    _ row: RowPointer, with other: RowPointer, of entity: EntityLayout
  ) -> RowUpdate? {
    draft.isNoticed = true
    let origin = coordinator.claims.origin(of: row.key, root: entity.rootNumber)
    if let origin, let key = origin.claimed {
      return origin.withRow { joined(row, origin: $0, by: key, with: other, of: entity) }
    }
    var changed: PropertySet
    switch policy {
    case .error, .strict:
      draft.conflicts.append(
        .notUnique(
          draft.named(row, of: entity), shared(row, with: other, of: entity),
          other: draft.named(other, of: entity)))
      return nil
    case .mergeByPropertyStoreTrump, .rollback: changed = PropertySet()
    case .mergeByPropertyObjectTrump:
      changed =
        origin?.withRow { row.difference(from: $0, entity) }
        ?? row.difference(from: entity.template.row, entity)
    case .overwrite: changed = PropertySet(entity.digest.columns.map(\.index))
    }
    draft.note(.becameExisting, deletionOf: coordinator.id(other.key, of: entity), of: entity)
    draft.noteLinks(row, becoming: other, of: entity, written: changed)
    changed = changed.intersection(row.difference(from: other, entity))
    if changed.isEmpty { return marker(on: other, entity, alone: row) }
    return update(other, changed: changed, from: row, of: entity, alone: row)
  }

  /// An object that was asked for by its values changes what was set of it since. That is compared as all
  /// edits are: the values that it began with are what it was before them. Those that it was asked for by
  /// must still be there; if they are not, that is a conflict, too.
  private func joined(
    _ row: RowPointer, origin: RowPointer, by key: UniqueKey, with other: RowPointer,
    of entity: EntityLayout
  ) -> RowUpdate? {
    var changed = row.difference(from: origin, entity)
    let value = UniqueValue(key)
    if value.values(of: other) != value.values(of: origin) {
      changed.formUnion(key.set.intersection(other.difference(from: origin, entity)))
      coordinator.claims.release(other.key, root: entity.rootNumber)
    }
    let edits = RowUpdate(
      row: draft.copy(row, key: other.key, of: entity),
      base: draft.copy(origin, key: other.key, of: entity),
      changed: changed, alone: alone(row, with: other, of: entity))
    if !changed.isEmpty,
      let merged = MergeRule(draft: draft).merge(
        edits, onto: other, id: coordinator.id(other.key, of: entity), of: entity)
    {
      return merged
    }
    return marker(on: other, entity, alone: row)
  }

  /// A change that changes nothing: where the other insertion is not saved yet it may still be refused,
  /// and this one must know of it.
  func marker(
    on other: RowPointer, _ entity: EntityLayout, alone row: RowPointer
  ) -> RowUpdate? {
    guard coordinator.keys.isUncommitted(other.key, root: entity.rootNumber),
      draft.conflicts.isEmpty
    else {
      return nil
    }
    let keys = entity.uniqueProperties
    return update(other, changed: keys, from: other, of: entity, alone: row)
  }

  private func update(
    _ other: RowPointer, changed: PropertySet, from row: RowPointer, of entity: EntityLayout,
    alone: RowPointer
  ) -> RowUpdate {
    let new = draft.builder.merge(changed, from: row, onto: other, entity)
    new.setVersion(other.nextVersion)
    new.setMaker(draft.maker())
    return RowUpdate(
      row: new, base: other, changed: changed, alone: self.alone(alone, with: other, of: entity))
  }

  /// What is inserted where the other insertion is never saved; nil where it is.
  private func alone(
    _ row: RowPointer, with other: RowPointer, of entity: EntityLayout
  ) -> RowPointer? {
    guard coordinator.keys.isUncommitted(other.key, root: entity.rootNumber) else { return nil }
    return draft.copy(row, key: other.key, of: entity)
  }

  /// The names of the properties whose values two rows must not share.
  private func shared(
    _ row: RowPointer, with other: RowPointer, of entity: EntityLayout
  ) -> [String] {
    let key = entity.uniqueKeys.first { key in
      let value = UniqueValue(key)
      return value.values(of: row).map { $0 == value.values(of: other) } ?? false
    }
    return (key ?? entity.uniqueKeys.first)?.names ?? []
  }
}
