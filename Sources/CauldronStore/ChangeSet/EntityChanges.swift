public import CauldronModel
import CauldronQuery

/// What a change set does to the rows of one concrete entity.
///
/// `@unchecked Sendable` because nothing changes after `init`.
@usableFromInline
package final class EntityChanges: @unchecked Sendable {
  package let entity: EntityLayout
  @usableFromInline package let inserted: [RowPointer]
  @usableFromInline package let updated: [RowUpdate]
  @usableFromInline package let deleted: [RowDeletion]
  /// The memory of all rows above, and no other.
  package let memory: RowMemory
  /// What is known of `inserted` as a whole.
  package let insertedRows: InsertedRows
  /// Whether a policy has brought one of the objects back.
  package let hasRestored: Bool
  /// Whether the keys of `updated` and `deleted` ascend, as they do where objects were fetched.
  private let updatedAscend: Bool
  private let deletedAscend: Bool
  /// Where keys do not ascend.
  private let index: [Int64: Position]
  /// What earlier searches have left for later ones.
  let searches: Locked<SearchCache>

  private enum Position {
    case inserted(Int32)
    case updated(Int32)
    case deleted(Int32)
  }

  /// The caller keeps the rows until the changes do.
  package init(
    entity: EntityLayout, inserted: [RowPointer], updated: [RowUpdate], deleted: [RowDeletion]
  ) {
    self.entity = entity
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    memory = Self.memory(inserted: inserted, updated: updated, deleted: deleted)
    searches = Locked(SearchCache(columns: ColumnCache(count: inserted.count)))
    let insertedRows = InsertedRows(entity, inserted)
    self.insertedRows = insertedRows
    hasRestored = updated.contains(where: \.isRestored)
    updatedAscend = Self.ascend(updated.count) { updated[$0].row.key }
    deletedAscend = Self.ascend(deleted.count) { deleted[$0].key }
    var index: [Int64: Position] = [:]
    if !insertedRows.ascend {
      for (i, row) in inserted.enumerated() { index[row.key] = .inserted(Int32(i)) }
    }
    if !updatedAscend {
      for (i, update) in updated.enumerated() { index[update.row.key] = .updated(Int32(i)) }
    }
    if !deletedAscend {
      for (i, deletion) in deleted.enumerated() { index[deletion.key] = .deleted(Int32(i)) }
    }
    self.index = index
  }

  private static func memory(
    inserted: [RowPointer], updated: [RowUpdate], deleted: [RowDeletion]
  ) -> RowMemory {
    var memory = RowMemory()
    for row in inserted { memory.keep(row) }
    for update in updated {
      memory.keep(update.row)
      memory.keep(update.base)
      if update.first != update.base { memory.keep(update.first) }
      if let alone = update.alone { memory.keep(alone) }
    }
    for deletion in deleted { memory.keep(deletion.base) }
    return memory
  }

  /// The number of rows it touches.
  package var count: Int { inserted.count + updated.count + deleted.count }

  /// The keys of rows that exist already, and are changed or deleted.
  /// - Complexity: O(*n*).
  package var changedKeys: [Int64] { updated.map(\.row.key) + deleted.map(\.key) }

  /// The keys of all rows.
  package var keys: [Int64] { inserted.map(\.key) + changedKeys }

  /// What happens to the row with a key.
  /// - Complexity: O(log *n*).
  package func change(_ key: Int64) -> RowChange? {
    if !index.isEmpty, let position = index[key] {
      switch position {
      case .inserted(let i): return .inserted(inserted[Int(i)])
      case .updated(let i): return .updated(updated[Int(i)])
      case .deleted(let i): return .deleted(deleted[Int(i)])
      }
    }
    if updatedAscend, let i = Self.find(key, count: updated.count, keyAt: { updated[$0].row.key }) {
      return .updated(updated[i])
    }
    if deletedAscend, let i = Self.find(key, count: deleted.count, keyAt: { deleted[$0].key }) {
      return .deleted(deleted[i])
    }
    if insertedRows.ascend,
      let i = Self.find(key, count: inserted.count, keyAt: { inserted[$0].key })
    {
      return .inserted(inserted[i])
    }
    return nil
  }

  @inline(__always)
  private static func find(_ key: Int64, count: Int, keyAt: (Int) -> Int64) -> Int? {
    // Most look-ups are for keys of other layers.
    guard count > 0, keyAt(0) <= key, key <= keyAt(count - 1) else { return nil }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if keyAt(middle) < key { low = middle + 1 } else { high = middle }
    }
    return low < count && keyAt(low) == key ? low : nil
  }

  @inline(__always)
  private static func ascend(_ count: Int, keyAt: (Int) -> Int64) -> Bool {
    guard count > 1 else { return true }
    var last = keyAt(0)
    for index in 1..<count {
      let key = keyAt(index)
      if key <= last { return false }
      last = key
    }
    return true
  }
}

// The loops over all changes, for those to which their kind makes no difference.
extension EntityChanges {
  /// Calls `body` with the key of each row, the row before and the row afterwards: none before an
  /// insertion, none after a deletion. Insertions come first, and deletions last.
  @inlinable
  package func forEachChange(
    _ body: (_ key: Int64, _ before: RowPointer?, _ after: RowPointer?) throws -> Void
  ) rethrows {
    for row in inserted { try body(row.key, nil, row) }
    for update in updated { try body(update.row.key, update.base, update.row) }
    for deletion in deleted { try body(deletion.key, deletion.base, nil) }
  }

  /// Calls `body` with the rows as they are afterwards.
  @inlinable
  package func forEachRow(_ body: (RowPointer) throws -> Void) rethrows {
    for row in inserted { try body(row) }
    for update in updated { try body(update.row) }
  }

  /// Calls `body` with the rows that show a value which a property has only since the changes; nil is
  /// none.
  @inlinable
  package func forEachRow(setting index: Int, _ body: (RowPointer) throws -> Void) rethrows {
    for row in inserted where !row.isNull(index) { try body(row) }
    for update in updated where update.brings(index) && !update.row.isNull(index) {
      try body(update.row)
    }
  }

  /// Calls `body` with the rows as they are afterwards, as they were before, and as they were when they
  /// were first edited.
  @inlinable
  package func forEachVersion(_ body: (RowPointer) throws -> Void) rethrows {
    for row in inserted { try body(row) }
    for update in updated {
      try body(update.row)
      try body(update.base)
      if update.first != update.base { try body(update.first) }
    }
    for deletion in deleted { try body(deletion.base) }
  }
}

extension EntityChanges {
  /// Whether the rows as they are now are few for the memory that they lie in: whoever keeps them
  /// for long had better copy them.
  ///
  /// A save of one row comes in a block of its own.
  /// - Complexity: O(rows), mostly much less.
  package var isSparse: Bool {
    let enough = memory.capacity / 4
    var bytes = 0
    for row in inserted {
      bytes += row.size
      if bytes >= enough { return false }
    }
    for update in updated {
      bytes += update.row.size
      if bytes >= enough { return false }
    }
    return true
  }
}

extension EntityChanges {
  /// Sets of fewer rows are looked through as they are.
  private static let unindexed = 64

  /// Calls `body` with the inserted and changed rows whose values of a unique key may be among those that
  /// have these hashes.
  /// - Complexity: O(min(rows, hashes)), where the first call for a key makes an index.
  package func forEachCandidate(
    _ value: UniqueValue, _ hashes: [UInt64: Int32], _ body: (RowPointer, UInt64) -> Void
  ) {
    let count = inserted.count + updated.count
    if count < Self.unindexed || count <= hashes.count {
      for position in 0..<count {
        let row = row(position)
        if let hash = value.hash(row), hashes[hash] != nil { body(row, hash) }
      }
      return
    }
    let index = uniqueIndex(value)
    for hash in hashes.keys {
      index.forEach(hash) { position in
        body(row(position), hash)
        return true
      }
    }
  }

  /// The index is made outside the lock, so that nobody waits for it; two may make it at once.
  private func uniqueIndex(_ value: UniqueValue) -> ValueIndex {
    let number = value.key.number
    if let made = searches.withLock({ $0.uniqueIndexes[number] }) { return made }
    let count = inserted.count + updated.count
    let made = ValueIndex(count: count) { value.hash(row($0)) }
    searches.withLock { $0.uniqueIndexes[number] = made }
    return made
  }
}

extension EntityChanges {
  /// The keys of the inserted and changed rows in which a property has one of these values, and of
  /// some others.
  /// - Parameter most: How many there may be; of more the first are told, and one more than these.
  /// - Complexity: O(values + keys) where the index was made before; the first call for a property
  ///   makes it in O(rows).
  package func keys(
    where property: PropertyLayout, in values: [AttributeScalar], most: Int = .max - 1
  ) -> [Int64]? {
    guard let value = HashedValue(property) else { return nil }
    let hashes = values.compactMap(value.hash)
    let count = inserted.count + updated.count
    var keys: [Int64] = []
    if count < Self.unindexed {
      for position in 0..<count {
        let row = row(position)
        if let hash = value.hash(row), hashes.contains(hash) { keys.append(row.key) }
      }
      return keys
    }
    let index = index(value)
    for hash in hashes where keys.count <= most {
      index.forEach(hash) { position in
        keys.append(row(position).key)
        return keys.count <= most
      }
    }
    return keys
  }

  /// The index is made outside the lock, so that nobody waits for it; two may make it at once.
  private func index(_ value: HashedValue) -> ValueIndex {
    if let made = searches.withLock({ $0.indexes[value.index] }) { return made }
    let made = ValueIndex(value, count: inserted.count + updated.count, row)
    searches.withLock { $0.indexes[value.index] = made }
    return made
  }

  @inline(__always)
  func row(_ position: Int) -> RowPointer {
    position < inserted.count ? inserted[position] : updated[position - inserted.count].row
  }
}

/// Facts about all rows that a change set inserts, kept so that the rows are not read again.
package struct InsertedRows: Sendable {
  private let required: LayoutDigest.Required
  private var count = 0
  private var first: Int64 = 0
  private var last: Int64 = 0
  /// The smallest key; one below zero is provisional.
  package private(set) var leastKey = Int64.max
  /// Whether the keys ascend, as they do unless two contexts shared a block of keys.
  package private(set) var ascend = true
  /// Whether no required value is missing.
  package private(set) var areComplete = true
  /// Whether no row has changed since it was made.
  package private(set) var areFirstVersions = true

  init(_ entity: EntityLayout, _ rows: [RowPointer]) {
    required = entity.digest.required
    for row in rows { note(row) }
  }

  /// Notes the next row.
  private mutating func note(_ row: RowPointer) {
    let key = row.key
    if count == 0 { first = key } else if key <= last { ascend = false }
    last = key
    if key < leastKey { leastKey = key }
    count += 1
    if !required.isComplete(row) { areComplete = false }
    if row.version > 1 { areFirstVersions = false }
  }

  /// The keys, where they follow one another without a gap.
  package var range: ClosedRange<Int64>? {
    count > 0 && ascend && last - first == Int64(count - 1) ? first...last : nil
  }
}

extension EntityChanges {
  /// Calls `body` with each key that a to-one relationship leads to, or led to, in a row whose reference
  /// is changed; a key may come more than once.
  package func forEachReference(by property: PropertyLayout, _ body: (Int64) -> Void) {
    let index = property.index
    func visit(_ row: RowPointer) {
      if !row.isNull(index) { body(row.slot(index)) }
    }
    inserted.forEach(visit)
    // The place of a link is a change of one end, and the order of the relationship at the other.
    for update in updated where entity.isJoin || update.brings(index) {
      visit(update.base)
      visit(update.row)
    }
    for deletion in deleted { visit(deletion.base) }
  }
}
