import CauldronModel

/// The newest committed rows that the coordinator has seen, shared by all contexts.
///
/// A row read from the store enters only if no commit has happened since its snapshot was taken, so
/// an older row never replaces a newer one; and a deletion leaves a tombstone at the commit, so that
/// a context that still has the row cannot push a change to it.
final class RowCache: Sendable {
  private struct Key: Hashable {
    let root: Int32
    let key: Int64
  }

  private struct State {
    var rows: [Key: HeldRow?] = [:]
    var older: [Key: HeldRow?] = [:]
  }

  /// The rows of a generation; when it is full the older generation is dropped.
  private let capacity: Int
  private let state = Locked<State>(State())

  /// - Parameter capacity: The most rows that it keeps alive is twice this number.
  init(capacity: Int = 16_384) { self.capacity = capacity }

  func row(_ key: Int64, root: Int32) -> HeldRow? { entry(key, root: root) ?? nil }

  /// The row; `.some(nil)` where it is known to be deleted, nil where nothing is known.
  func entry(_ key: Int64, root: Int32) -> HeldRow?? {
    let key = Key(root: root, key: key)
    return state.withLock { state in
      if let row = state.rows[key] { return row }
      guard let row = state.older.removeValue(forKey: key) else { return nil }
      Self.insert(row, key, &state, capacity)
      return row
    }
  }

  func insert(_ row: HeldRow, root: Int32) {
    state.withLock { Self.insert(row, Key(root: root, key: row.row.key), &$0, capacity) }
  }

  func remove(_ key: Int64, root: Int32) {
    let key = Key(root: root, key: key)
    state.withLock { state in
      state.rows.removeValue(forKey: key)
      state.older.removeValue(forKey: key)
    }
  }

  /// Takes over what a commit wrote: changed rows replace what is there, deleted ones go.
  ///
  /// New rows are not entered, because an import would only push out what is read; but those that
  /// changed on their way, for somebody may have read an older version.
  func apply(_ changes: EntityChanges) {
    let root = changes.entity.root.number
    state.withLock { state in
      for update in changes.updated {
        let key = Key(root: root, key: update.row.key)
        Self.insert(update.row.held, key, &state, capacity)
      }
      for row in changes.inserted where row.version > 1 {
        Self.insert(row.held, Key(root: root, key: row.key), &state, capacity)
      }
      for deletion in changes.deleted {
        Self.insert(nil, Key(root: root, key: deletion.key), &state, capacity)
      }
    }
  }

  func removeAll() { state.withLock { $0 = State() } }

  private static func insert(_ row: HeldRow?, _ key: Key, _ state: inout State, _ capacity: Int) {
    state.older.removeValue(forKey: key)
    state.rows.updateValue(row, forKey: key)
    guard state.rows.count >= capacity else { return }
    state.older = state.rows
    state.rows = [:]
  }
}
