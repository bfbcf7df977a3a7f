import CCauldron
import CauldronModel

/// The newest committed rows that the coordinator has seen, shared by all contexts.
///
/// A row read from the store enters only if no commit has happened since its snapshot was taken, so
/// an older row never replaces a newer one; and a deletion leaves a tombstone at the commit, so that
/// a context that still has the row cannot push a change to it.
final class RowCache: Sendable {
  private struct State {
    var young: [RowPages] = []
    var old: [RowPages] = []
    /// How many rows and tombstones the young generation has.
    var count = 0
  }

  /// The rows of a generation; when it is full the older generation is dropped.
  private let capacity: Int
  private let state = Locked<State>(State())

  /// - Parameter capacity: The most rows that it keeps alive is twice this number.
  init(capacity: Int = 16_384) { self.capacity = capacity }

  deinit { removeAll() }

  func row(_ key: Int64, root: Int32) -> HeldRow? { entry(key, root: root) ?? nil }

  /// The row; `.some(nil)` where it is known to be deleted, nil where nothing is known.
  func entry(_ key: Int64, root: Int32) -> HeldRow?? {
    state.withLock { Self.entry(key, Int(root), &$0, capacity) }
  }

  /// The row, its block retained for the caller; nil where no row is known.
  func retainedRow(_ key: Int64, root: Int32) -> RowPointer? {
    state.withLock { state in
      guard let row = RowPages.row(Self.word(key, Int(root), &state, capacity)) else { return nil }
      // The caller reads it when it has made an object, which takes about as long as to load it.
      cauldron_prefetch(row.words)
      cauldron_prefetch(row.words + 8)
      _ = Unmanaged.passRetained(row.block)
      return row
    }
  }

  /// The same for many keys, with the lock taken once.
  func entries(_ keys: some Sequence<Int64>, root: Int32) -> [HeldRow??] {
    state.withLock { state in keys.map { Self.entry($0, Int(root), &state, capacity) } }
  }

  /// Compares the rows that a change set changes or deletes with what is known of them.
  /// - Returns: The keys of those of which nothing is known, and which are what a commit has written;
  ///   nil where another row is known, or none, and where a row is in doubt.
  func unknownKeys(of changes: EntityChanges, _ doubts: MakerDoubts) -> [Int64]? {
    let root = Int(changes.entity.rootNumber)
    return state.withLock { state in
      var unknown: [Int64] = []
      func isClear(_ base: RowPointer) -> Bool {
        let word = Self.word(base.key, root, &state, capacity)
        if word == 0 {
          unknown.append(base.key)
          return doubts.trust(base)
        }
        return RowPages.row(word).map { doubts.same($0, base) } ?? false
      }
      for update in changes.updated {
        if update.first != update.base || !isClear(update.base) { return nil }
      }
      for deletion in changes.deleted where !isClear(deletion.base) { return nil }
      return unknown
    }
  }

  /// Takes in a row that was read, unless a newer one is there.
  func insert(_ row: HeldRow, root: Int32) {
    state.withLock { state in
      let known = RowPages.row(Self.word(row.row.key, Int(root), &state, capacity))
      if let known, known.version > row.row.version { return }
      Self.insert(row.row, row.row.key, Int(root), &state, capacity)
    }
  }

  /// Records that the store has no such row.
  func markDeleted(_ key: Int64, root: Int32) {
    state.withLock { Self.insert(nil, key, Int(root), &$0, capacity) }
  }

  func remove(_ key: Int64, root: Int32) {
    state.withLock { state in
      let root = Int(root)
      guard root < state.young.count else { return }
      if state.young[root].take(key) != 0 { state.count -= 1 }
      _ = state.old[root].take(key)
    }
  }

  /// Takes over what a commit wrote: changed rows replace what is there, deleted ones go.
  ///
  /// New rows are not entered, because an import would only push out what is read; but those that
  /// changed on their way, for somebody may have read an older version.
  func apply(_ changes: EntityChanges) {
    let root = Int(changes.entity.rootNumber)
    state.withLock { state in
      for update in changes.updated {
        Self.insert(update.row, update.row.key, root, &state, capacity)
      }
      if !changes.insertedRows.areFirstVersions {
        for row in changes.inserted where row.version > 1 {
          Self.insert(row, row.key, root, &state, capacity)
        }
      }
      for deletion in changes.deleted {
        Self.insert(nil, deletion.key, root, &state, capacity)
      }
    }
  }

  func removeAll() {
    state.withLock { state in
      for index in state.young.indices { state.young[index].removeAll() }
      for index in state.old.indices { state.old[index].removeAll() }
      state.count = 0
    }
  }

  @inline(__always)
  private static func entry(
    _ key: Int64, _ root: Int, _ state: inout State, _ capacity: Int
  ) -> HeldRow?? {
    let word = word(key, root, &state, capacity)
    return word == 0 ? nil : .some(RowPages.row(word)?.held)
  }

  /// What is known of a row, which counts as used from now on; 0 for nothing.
  @inline(__always)
  private static func word(
    _ key: Int64, _ root: Int, _ state: inout State, _ capacity: Int
  ) -> UInt {
    guard root < state.young.count else { return 0 }
    let word = state.young[root].word(key)
    if word != 0 { return word }
    let old = state.old[root].word(key)
    if old != 0 { insert(RowPages.row(old), key, root, &state, capacity) }
    return old
  }

  private static func insert(
    _ row: RowPointer?, _ key: Int64, _ root: Int, _ state: inout State, _ capacity: Int
  ) {
    while state.young.count <= root {
      state.young.append(RowPages())
      state.old.append(RowPages())
    }
    if state.young[root].put(row, key) { state.count += 1 }
    _ = state.old[root].take(key)
    guard state.count >= capacity else { return }
    for index in state.old.indices { state.old[index].removeAll() }
    swap(&state.old, &state.young)
    state.count = 0
  }
}
