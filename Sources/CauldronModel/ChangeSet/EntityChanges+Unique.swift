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
