extension EntityChanges {
  /// The sets that are too small for an index to be worth its making.
  private static let unindexed = 64

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
