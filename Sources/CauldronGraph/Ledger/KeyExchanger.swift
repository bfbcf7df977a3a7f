import CauldronModel

/// Puts final keys in the place of those that objects had, in copies of the rows that name them.
struct KeyExchanger {
  let finals: FinalKeys
  /// Made with the first copy, which most look-throughs never need.
  lazy var builder = RowBuilder()

  init(_ finals: FinalKeys) { self.finals = finals }

  /// The same layer where no row names an exchanged key.
  /// - Complexity: O(rows).
  mutating func exchanged(_ layer: Layer) -> Layer {
    if finals.isEmpty { return layer }
    let changes = exchanged(layer.changes)
    return changes === layer.changes ? layer : layer.with(changes: changes)
  }

  /// The same set where no row names an exchanged key.
  mutating func exchanged(_ changes: ChangeSet) -> ChangeSet {
    if finals.isEmpty { return changes }
    let sets = changes.entities.map { exchanged($0) }
    if zip(sets, changes.entities).allSatisfy({ $0 === $1 }) { return changes }
    return ChangeSet(id: changes.id, entities: sets, from: [changes])
  }

  /// The same changes where no row names an exchanged key.
  mutating func exchanged(_ set: EntityChanges) -> EntityChanges {
    var isSame = true
    func note(_ new: RowPointer, _ old: RowPointer) -> RowPointer {
      if new != old { isSame = false }
      return new
    }
    let entity = set.entity
    let inserted = set.inserted.map { note(row($0, entity), $0) }
    let updated = set.updated.map {
      RowUpdate(
        row: note(row($0.row, entity), $0.row), base: note(row($0.base, entity), $0.base),
        changed: $0.changed, first: note(row($0.first, entity), $0.first),
        nullified: $0.nullified, alone: $0.alone.map { note(row($0, entity), $0) })
    }
    let deleted = set.deleted.map { RowDeletion(base: note(row($0.base, entity), $0.base)) }
    if isSame { return set }
    defer { builder.dropFinishedBlocks() }
    return combined(entity, inserted, updated, deleted)
  }

  /// A copy of a row that names exchanged keys; another row as it is.
  mutating func row(_ row: RowPointer, _ entity: EntityLayout) -> RowPointer {
    guard names(row, entity) else { return row }
    let copy = builder.copy(row, entity)
    write(copy, entity)
    builder.close()
    return copy
  }

  /// Exchanges the keys in a row that nobody else has seen.
  func write(_ row: RowPointer, _ entity: EntityLayout) {
    if let key = finals.key(row.key, root: entity.rootNumber) { row.setKey(key) }
    for property in entity.digest.toOnes where !row.isNull(property.index) {
      if let key = target(property, row) { row.setSlot(property.index, key) }
    }
    // A join's key is made of its ends.
    if entity.isJoin, let key = JoinKey.key(row.slot(0), row.slot(1)) { row.setKey(key) }
  }

  /// The key of a join whose ends have other keys.
  func joinKey(_ key: Int64, _ join: EntityLayout) -> Int64 {
    guard !finals.isEmpty, join.properties.count >= 2,
      let first = join.properties[0].destination?.entity,
      let second = join.properties[1].destination?.entity
    else { return key }
    let (a, b) = JoinKey.ends(key)
    let newKey = JoinKey.key(
      finals.key(a, root: first.rootNumber) ?? a, finals.key(b, root: second.rootNumber) ?? b)
    return newKey ?? key
  }

  private func names(_ row: RowPointer, _ entity: EntityLayout) -> Bool {
    if mayBeExchanged(row.key), finals.key(row.key, root: entity.rootNumber) != nil { return true }
    if entity.isJoin, row.key < 0, JoinKey.key(row.slot(0), row.slot(1)) != row.key { return true }
    return entity.digest.toOnes.contains { property in
      !row.isNull(property.index) && target(property, row) != nil
    }
  }

  /// The key that a reference leads to now; nil where it is the same.
  @inline(__always)
  private func target(_ property: PropertyLayout, _ row: RowPointer) -> Int64? {
    let key = row.slot(property.index)
    guard mayBeExchanged(key), let destination = property.destination?.entity else { return nil }
    return finals.key(key, root: destination.rootNumber)
  }

  @inline(__always)
  private func mayBeExchanged(_ key: Int64) -> Bool { key < 0 || finals.hasReserved }
}
