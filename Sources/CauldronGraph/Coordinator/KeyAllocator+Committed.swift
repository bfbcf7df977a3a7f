import CauldronModel

// Which keys belong to objects that no commit has written yet.
extension KeyAllocator {
  /// Records that rows were committed.
  func markCommitted(_ changes: EntityChanges) {
    guard !changes.inserted.isEmpty else { return }
    let root = changes.entity.rootNumber
    tables.withLock { tables in
      guard tables[root] != nil else { return }
      if let range = changes.insertedRows.range {
        tables[root]?.committed.insert(range)
      } else {
        tables[root]?.committed.insert(changes.inserted)
      }
    }
  }

  /// Whether a key belongs to an object that no commit has written yet.
  func isUncommitted(_ key: Int64, _ root: Int32) -> Bool {
    let key = provisional.final(key, root)
    if key < 0 { return true }
    return tables.withLock { $0[root]?.isUncommitted(key) ?? false }
  }

  /// Whether a key was reserved by this coordinator, so that it knows what became of it.
  func isReserved(_ key: Int64, _ root: Int32) -> Bool {
    let key = provisional.final(key, root)
    if key < 0 { return true }
    return tables.withLock { $0[root]?.isReserved(key) ?? false }
  }

  /// Whether one of the keys belongs to an object that no commit has written yet.
  func isAnyUncommitted(_ keys: [Int64], _ root: Int32) -> Bool {
    if keys.isEmpty { return false }
    return tables.withLock { tables in
      keys.contains { $0 < 0 } || tables[root]?.isAnyUncommitted(keys) ?? false
    }
  }
}
