/// What a change set does to the rows of one concrete entity.
///
/// `@unchecked Sendable` because nothing changes after `init`.
package final class EntityChanges: @unchecked Sendable {
  package let entity: EntityLayout
  package let inserted: [RowPointer]
  package let updated: [RowUpdate]
  package let deleted: [RowDeletion]
  /// Keeps the memory of all rows above.
  package let blocks: [RowBlock]
  /// Whether the keys of `inserted` ascend, as they do unless two contexts shared a block of keys.
  private let insertedAscend: Bool
  private let index: [Int64: Position]

  private enum Position {
    case inserted(Int32)
    case updated(Int32)
    case deleted(Int32)
  }

  package init(
    entity: EntityLayout, inserted: [RowPointer], updated: [RowUpdate], deleted: [RowDeletion],
    blocks: [RowBlock]
  ) {
    self.entity = entity
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.blocks = blocks
    insertedAscend = Self.ascend(inserted)
    var index: [Int64: Position] = [:]
    index.reserveCapacity(updated.count + deleted.count + (insertedAscend ? 0 : inserted.count))
    if !insertedAscend {
      for (i, row) in inserted.enumerated() { index[row.key] = .inserted(Int32(i)) }
    }
    for (i, update) in updated.enumerated() { index[update.row.key] = .updated(Int32(i)) }
    for (i, deletion) in deleted.enumerated() { index[deletion.key] = .deleted(Int32(i)) }
    self.index = index
  }

  /// The number of rows it touches.
  package var count: Int { inserted.count + updated.count + deleted.count }

  /// What happens to the row with a key.
  /// - Complexity: O(log *n*) in the number of inserted rows.
  package func change(_ key: Int64) -> RowChange? {
    if !index.isEmpty, let position = index[key] {
      switch position {
      case .inserted(let i): return .inserted(inserted[Int(i)])
      case .updated(let i): return .updated(updated[Int(i)])
      case .deleted(let i): return .deleted(deleted[Int(i)])
      }
    }
    guard insertedAscend, let i = insertedIndex(key) else { return nil }
    return .inserted(inserted[i])
  }

  private func insertedIndex(_ key: Int64) -> Int? {
    var low = 0
    var high = inserted.count
    while low < high {
      let middle = (low + high) / 2
      if inserted[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < inserted.count && inserted[low].key == key ? low : nil
  }

  private static func ascend(_ rows: [RowPointer]) -> Bool {
    guard var last = rows.first?.key else { return true }
    for row in rows.dropFirst() {
      if row.key <= last { return false }
      last = row.key
    }
    return true
  }
}
