import CauldronModel

// Contexts that ask for one unique value insert the same object, each for itself, so that it does not
// matter who is saved first, and who never is. The first insertion that arrives is one; the others become
// updates.
extension PushCheck {
  /// Whether the set may insert rows that somebody else has inserted.
  func mayBeShared(_ set: EntityChanges) -> Bool {
    !set.inserted.isEmpty && !set.entity.uniqueKeys.isEmpty
      && coordinator.ledger.sharedKeys.value > 0
  }

  /// Accepts new rows, those that exist already as changes to these.
  mutating func insert(
    _ rows: [RowPointer], _ entity: EntityLayout, _ resolved: inout Resolved
  ) {
    let root = entity.rootNumber
    guard coordinator.ledger.sharedKeys.value > 0, !entity.uniqueKeys.isEmpty else {
      resolved.inserted = rows
      return
    }
    for row in rows {
      guard coordinator.claims.isShared(row.key, root),
        let other = receiver(id(row.key, entity), entity), other.entityNumber == entity.number
      else {
        resolved.inserted.append(row)
        continue
      }
      resolved.isAdapted = true
      if let update = joined(row, with: other, entity) { resolved.updated.append(update) }
    }
  }

  /// What a new row changes of one that exists and has its unique values; nil for nothing, or for a
  /// conflict.
  mutating func joined(
    _ row: RowPointer, with other: RowPointer, _ entity: EntityLayout
  ) -> RowUpdate? {
    isNoticed = true
    let origin = coordinator.claims.origin(row.key, entity.rootNumber)
    if let origin, origin.isClaimed { return joined(row, claimedAs: origin.row, other, entity) }
    var changed: PropertySet
    switch policy {
    case .error, .strict:
      conflicts.append(
        .notUnique(named(row, entity), shared(row, other, entity), other: named(other, entity)))
      return nil
    case .mergeByPropertyStoreTrump, .rollback: changed = PropertySet()
    case .mergeByPropertyObjectTrump:
      changed = row.difference(from: (origin?.row ?? entity.template).row, entity)
    case .overwrite: changed = PropertySet(entity.digest.columns.map(\.index))
    }
    note(.becameExisting, deletionOf: id(other.key, entity), entity)
    changed = changed.intersection(row.difference(from: other, entity))
    return changed.isEmpty ? nil : update(other, changed, from: row, entity)
  }

  /// An object that was asked for by its values changes what was set of it since. That is compared as all
  /// edits are: the values that it began with are what it was before them.
  private mutating func joined(
    _ row: RowPointer, claimedAs origin: HeldRow, _ other: RowPointer, _ entity: EntityLayout
  ) -> RowUpdate? {
    let keyed = builder.copy(row, entity)
    builder.close()
    keyed.setKey(other.key)
    let base = builder.copy(origin.row, entity)
    builder.close()
    base.setKey(other.key)
    let changed = row.difference(from: origin.row, entity)
    let edits = RowUpdate(row: keyed, base: base, changed: changed)
    if !changed.isEmpty,
      let merged = merge(edits, onto: other, id(other.key, entity), entity)
    {
      return merged
    }
    // Where the other insertion is not saved yet it may still be refused, and this one must know of it.
    guard coordinator.keys.isUncommitted(other.key, entity.rootNumber), conflicts.isEmpty else {
      return nil
    }
    let keys = entity.uniqueKeys.reduce(PropertySet()) { $0.union($1.set) }
    return update(other, keys, from: other, entity)
  }

  private mutating func update(
    _ other: RowPointer, _ changed: PropertySet, from row: RowPointer, _ entity: EntityLayout
  ) -> RowUpdate {
    let new = builder.merge(changed, from: row, onto: other, entity)
    new.setVersion(other.nextVersion)
    new.setMaker(maker())
    return RowUpdate(row: new, base: other, changed: changed)
  }

  /// Inserts an object that was asked for by its values and that somebody else was to insert, but has not.
  mutating func insertAgain(
    _ update: RowUpdate, _ entity: EntityLayout, _ resolved: inout Resolved
  ) -> Bool {
    let root = entity.rootNumber
    guard coordinator.claims.isShared(update.row.key, root),
      coordinator.keys.isUncommitted(update.row.key, root),
      coordinator.claims.origin(update.row.key, root)?.isClaimed == true
    else { return false }
    let row = builder.copy(update.row, entity)
    builder.close()
    row.setVersion(1)
    row.setMaker(maker())
    resolved.inserted.append(row)
    (resolved.isAdapted, isNoticed) = (true, true)
    return true
  }

  /// The names of the properties whose values two rows must not share.
  private func shared(
    _ row: RowPointer, _ other: RowPointer, _ entity: EntityLayout
  ) -> [String] {
    let key = entity.uniqueKeys.first { key in
      let value = UniqueValue(key)
      return value.values(of: row).map { $0 == value.values(of: other) } ?? false
    }
    return (key ?? entity.uniqueKeys.first)?.names ?? []
  }

  func named(_ row: RowPointer, _ entity: EntityLayout) -> NamedObject {
    NamedObject(id(row.key, entity), entity: entity.name, store: coordinator.storeIdentifier)
  }
}
