/// What a change set does to the rows of one concrete entity.
///
/// `@unchecked Sendable` because nothing changes after `init`.
package final class EntityChanges: @unchecked Sendable {
  package let entity: EntityLayout
  package let inserted: [RowPointer]
  package let updated: [RowUpdate]
  package let deleted: [RowDeletion]
  /// The memory of all rows above, and no other.
  package let memory: RowMemory
  /// What is known of `inserted` as a whole.
  package let insertedRows: InsertedRows
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
    memory = Self.memory(inserted, updated, deleted)
    searches = Locked(SearchCache(columns: ColumnCache(count: inserted.count)))
    let insertedRows = InsertedRows(entity, inserted)
    self.insertedRows = insertedRows
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
    _ inserted: [RowPointer], _ updated: [RowUpdate], _ deleted: [RowDeletion]
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
    if updatedAscend, let i = Self.find(key, updated.count, { updated[$0].row.key }) {
      return .updated(updated[i])
    }
    if deletedAscend, let i = Self.find(key, deleted.count, { deleted[$0].key }) {
      return .deleted(deleted[i])
    }
    if insertedRows.ascend, let i = Self.find(key, inserted.count, { inserted[$0].key }) {
      return .inserted(inserted[i])
    }
    return nil
  }

  @inline(__always)
  private static func find(_ key: Int64, _ count: Int, _ keyAt: (Int) -> Int64) -> Int? {
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
  private static func ascend(_ count: Int, _ keyAt: (Int) -> Int64) -> Bool {
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
