package import CauldronModel
package import CauldronStore

/// Puts final keys in the place of those that objects had, in copies of the rows that name them.
package struct KeyExchanger {
  package let finals: FinalKeys
  /// Made with the first copy, which most look-throughs never need.
  package lazy var builder = RowBuilder()

  package init(_ finals: FinalKeys) { self.finals = finals }

  /// The same layer where no row names an exchanged key.
  /// - Complexity: O(rows).
  package mutating func exchanged(_ layer: Layer) -> Layer {
    if finals.isEmpty { return layer }
    let changes = exchanged(layer.changes)
    return changes === layer.changes ? layer : layer.with(changes: changes)
  }

  /// The same set where no row names an exchanged key.
  package mutating func exchanged(_ changes: ChangeSet) -> ChangeSet {
    if finals.isEmpty { return changes }
    let sets = changes.entities.map { exchanged($0) }
    if zip(sets, changes.entities).allSatisfy({ $0 === $1 }) { return changes }
    return ChangeSet(id: changes.id, entities: sets, from: [changes])
  }

  /// The same changes where no row names an exchanged key.
  package mutating func exchanged(_ set: EntityChanges) -> EntityChanges {
    var isSame = true
    func note(_ new: RowPointer, insteadOf old: RowPointer) -> RowPointer {
      if new != old { isSame = false }
      return new
    }
    let entity = set.entity
    let inserted = set.inserted.map { note(row($0, of: entity), insteadOf: $0) }
    let updated = set.updated.map {
      RowUpdate(
        row: note(row($0.row, of: entity), insteadOf: $0.row),
        base: note(row($0.base, of: entity), insteadOf: $0.base),
        changed: $0.changed, first: note(row($0.first, of: entity), insteadOf: $0.first),
        nullified: $0.nullified, alone: $0.alone.map { note(row($0, of: entity), insteadOf: $0) },
        isRestored: $0.isRestored)
    }
    let deleted = set.deleted.map {
      RowDeletion(base: note(row($0.base, of: entity), insteadOf: $0.base))
    }
    if isSame { return set }
    defer { builder.dropFinishedBlocks() }
    return combined(entity, inserted: inserted, updated: updated, deleted: deleted)
  }

  /// A copy of a row that names exchanged keys; another row as it is.
  package mutating func row(_ row: RowPointer, of entity: EntityLayout) -> RowPointer {
    guard names(row, of: entity) else { return row }
    let copy = builder.copy(row, entity)
    write(copy, of: entity)
    builder.close()
    return copy
  }

  /// Exchanges the keys in a row that nobody else has seen.
  package func write(_ row: RowPointer, of entity: EntityLayout) {
    if let key = finals.key(row.key, root: entity.rootNumber) { row.setKey(key) }
    for property in entity.digest.toOnes where !row.isNull(property.index) {
      if let key = target(of: property, in: row) { row.setSlot(property.index, key) }
    }
    // A join's key is made of its ends.
    if entity.isJoin, let key = JoinKey.key(row.slot(0), row.slot(1)) { row.setKey(key) }
  }

  /// The key of a join whose ends have other keys.
  package func joinKey(_ key: Int64, of join: EntityLayout) -> Int64 {
    guard !finals.isEmpty, join.properties.count >= 2,
      let first = join.properties[0].destination?.entity,
      let second = join.properties[1].destination?.entity
    else { return key }
    let (a, b) = JoinKey.ends(key)
    let newKey = JoinKey.key(
      finals.key(a, root: first.rootNumber) ?? a, finals.key(b, root: second.rootNumber) ?? b)
    return newKey ?? key
  }

  private func names(_ row: RowPointer, of entity: EntityLayout) -> Bool {
    if mayBeExchanged(row.key), finals.key(row.key, root: entity.rootNumber) != nil { return true }
    if entity.isJoin, row.key < 0, JoinKey.key(row.slot(0), row.slot(1)) != row.key { return true }
    return entity.digest.toOnes.contains { property in
      !row.isNull(property.index) && target(of: property, in: row) != nil
    }
  }

  /// The key that a reference leads to now; nil where it is the same.
  @inline(__always)
  private func target(of property: PropertyLayout, in row: RowPointer) -> Int64? {
    let key = row.slot(property.index)
    guard mayBeExchanged(key), let destination = property.destination?.entity else { return nil }
    return finals.key(key, root: destination.rootNumber)
  }

  @inline(__always)
  private func mayBeExchanged(_ key: Int64) -> Bool { key < 0 || finals.hasReserved }
}

// Two objects that have become one have one change: what was done to each of them was done to it.
extension KeyExchanger {
  /// The changes, those of one row as one.
  mutating func combined(
    _ entity: EntityLayout, inserted: [RowPointer], updated: [RowUpdate],
    deleted: [RowDeletion]
  ) -> EntityChanges {
    var known: Set<Int64> = []
    let keys = [inserted.map(\.key), updated.map(\.row.key), deleted.map(\.key)].joined()
    if keys.allSatisfy({ known.insert($0).inserted }) {
      return EntityChanges(
        entity: entity, inserted: inserted, updated: updated, deleted: deleted)
    }
    var rows = CombinedRows()
    for row in inserted {
      rows.change(row.key) { $0.inserted = combined($0.inserted, with: row, of: entity) }
    }
    for update in updated {
      rows.change(update.row.key) { $0.updated = combined($0.updated, with: update, of: entity) }
    }
    for deletion in deleted { rows.change(deletion.key) { $0.deleted = $0.deleted ?? deletion } }
    return rows.changes(of: entity) { combined($0, of: entity) }
  }

  private mutating func combined(
    _ first: RowPointer?, with second: RowPointer, of entity: EntityLayout
  ) -> RowPointer {
    guard let first, !entity.isJoin else { return first ?? second }
    let set = second.difference(from: entity.template.row, entity)
      .subtracting(PropertySet(entity.computedDefaults.map(\.index)))
    return combined(set, from: second, onto: first, of: entity)
  }

  private mutating func combined(
    _ first: RowUpdate?, with second: RowUpdate, of entity: EntityLayout
  ) -> RowUpdate {
    guard let first else { return second }
    let others = second.changed.subtracting(first.changed)
    return RowUpdate(
      row: combined(second.changed, from: second.row, onto: first.row, of: entity),
      base: combined(others, from: second.base, onto: first.base, of: entity),
      changed: first.changed.union(second.changed), first: first.first,
      nullified: second.nullified(after: first),
      alone: first.alone ?? second.alone, isRestored: first.isRestored || second.isRestored)
  }

  /// Leaves one change of the row: a deletion ends edits, and what was deleted and made again is
  /// changed, as is what exists and was made once more.
  private mutating func combined(
    _ row: CombinedRows.Changes, of entity: EntityLayout
  ) -> CombinedRows.Changes {
    switch (row.inserted, row.updated, row.deleted) {
    case (let inserted?, _, let deletion?):
      let changed = inserted.difference(from: deletion.base, entity)
      if entity.isJoin || changed.isEmpty { return .init() }
      return .init(updated: RowUpdate(row: inserted, base: deletion.base, changed: changed))
    case (nil, _, let deletion?): return .init(deleted: deletion)
    case (let inserted?, let update?, nil):
      if entity.isJoin { return .init(inserted: inserted) }
      return .init(updated: combined(inserted, with: update, of: entity))
    case (_, _, nil): return row
    }
  }

  /// What was set of a new object is an edit of the one that it has become.
  private mutating func combined(
    _ inserted: RowPointer, with update: RowUpdate, of entity: EntityLayout
  ) -> RowUpdate {
    let own = inserted.difference(from: entity.template.row, entity)
      .intersection(inserted.difference(from: update.row, entity))
      .subtracting(PropertySet(entity.computedDefaults.map(\.index)))
      .subtracting(update.changed)
    return RowUpdate(
      row: combined(own, from: inserted, onto: update.row, of: entity), base: update.base,
      changed: update.changed.union(own), first: update.first, nullified: update.nullified,
      alone: combined(update.changed, from: update.row, onto: inserted, of: entity),
      isRestored: update.isRestored)
  }

  private mutating func combined(
    _ properties: PropertySet, from source: RowPointer, onto base: RowPointer,
    of entity: EntityLayout
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

  mutating func change(_ key: Int64, body: (inout Changes) -> Void) {
    if byKey[key] == nil { keys.append(key) }
    body(&byKey[key, default: Changes()])
  }

  /// - Parameter combine: Leaves one change of each row, or none.
  func changes(of entity: EntityLayout, combine: (Changes) -> Changes) -> EntityChanges {
    let rows = keys.compactMap { byKey[$0].map(combine) }
    return EntityChanges(
      entity: entity, inserted: rows.compactMap(\.inserted), updated: rows.compactMap(\.updated),
      deleted: rows.compactMap(\.deleted))
  }
}

/// The keys that objects have now, by those that they had.
package struct FinalKeys: Sendable {
  /// A key that a store has reserved.
  private struct Reserved: Hashable {
    let key: Int64
    /// The number of the root entity.
    let root: Int32
  }

  /// By the provisional keys, which no two objects share, of whatever entity.
  private var provisional: [Int64: Int64] = [:]
  /// By the keys of objects that became another one, because that has their unique values.
  private var reserved: [Reserved: Int64] = [:]

  package var isEmpty: Bool { provisional.isEmpty && reserved.isEmpty }
  /// Whether keys were exchanged that a store had reserved.
  var hasReserved: Bool { !reserved.isEmpty }

  /// The key that an object has now; nil where it was not exchanged.
  /// - Parameter root: The number of the root entity.
  package func key(_ key: Int64, root: Int32) -> Int64? {
    guard var last = next(after: key, root: root) else { return nil }
    // What it became may have become another one, too.
    while let further = next(after: last, root: root) { last = further }
    return last
  }

  @inline(__always)
  private func next(after key: Int64, root: Int32) -> Int64? {
    if key < 0 { return provisional[key] }
    return reserved.isEmpty ? nil : reserved[Reserved(key: key, root: root)]
  }

  /// Takes an exchange in.
  package mutating func add(_ exchange: ProvisionalKeys.Exchange) {
    // An object that has become another one already stays that.
    let old = key(exchange.old, root: exchange.root) ?? exchange.old
    let new = key(exchange.new, root: exchange.root) ?? exchange.new
    guard old != new else { return }
    if old < 0 {
      provisional[old] = new
    } else {
      reserved[Reserved(key: old, root: exchange.root)] = new
    }
  }
}

/// Which of several layers mention a key: sorted, so that two of them are merged in one pass.
package struct KeyIndex: Sendable {
  private struct Entry: Sendable {
    let key: Int64
    let entity: Int32
    let layer: Int32

    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      if key != other.key { return key < other.key }
      return entity == other.entity ? layer < other.layer : entity < other.entity
    }
  }

  private var entries: [Entry]

  init() { entries = [] }

  /// Appends a key of the only layer; `sort()` follows the last one.
  package mutating func append(_ key: Int64, entity: Int32) {
    entries.append(Entry(key: key, entity: entity, layer: 0))
  }

  package mutating func sort() {
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.precedes($1) }
    if !isSorted { entries.sort { $0.precedes($1) } }
  }

  /// The keys of both, those of `second` in the layers from `offset` on.
  init(_ first: KeyIndex, _ second: KeyIndex, offset: Int32) {
    let later = second.entries.lazy.map { entry in
      Entry(key: entry.key, entity: entry.entity, layer: entry.layer + offset)
    }
    entries = Array(merging: first.entries, later) { $0.precedes($1) }
  }

  /// The positions of the layers that mention a key, oldest first.
  /// - Complexity: O(log *n*).
  @inline(__always)
  package func positions(_ key: Int64, entity: Int32) -> some BidirectionalCollection<Int32> {
    let first = Entry(key: key, entity: entity, layer: 0)
    let start = entries.lowerBound { $0.precedes(first) }
    var end = start
    while end < entries.count, entries[end].key == key, entries[end].entity == entity { end += 1 }
    return entries[start..<end].lazy.map(\.layer)
  }
}
