import CauldronModel

extension KeyAllocator {
  /// Reserves a key for each object that change sets insert under a provisional one.
  ///
  /// It waits for the store's lock, as the save does that needs the keys.
  /// - Throws: What the store throws.
  func exchanges(for sets: [ChangeSet]) throws -> [ProvisionalKeys.Exchange] {
    var result: [ProvisionalKeys.Exchange] = []
    var seen: Set<Int64> = []
    // A join has the keys of its ends.
    for set in sets.flatMap(\.entities) where set.insertedRows.leastKey < 0 && !set.entity.isJoin {
      let root = set.entity.root
      let old = set.inserted.map(\.key).filter { $0 < 0 && seen.insert($0).inserted }
      let new = try reserved(Int64(old.count), root)
      for (old, new) in zip(old, new.joined()) {
        result.append(ProvisionalKeys.Exchange(old: old, new: new, root: root.number))
      }
    }
    return result
  }

  /// Exactly so many keys, whatever has to be waited for.
  func reserved(_ count: Int64, _ root: EntityLayout) throws -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    var missing = count
    while missing > 0 {
      let (free, size) = tables.withLock { tables in
        let table = tables[root.number, default: KeyTable()]
        return (tables[root.number, default: table].take(missing).0, table.nextSize)
      }
      if let free {
        result.append(free)
        missing -= Int64(free.count)
      } else {
        // Not under a lock: creators would wait for it, too.
        let keys = try store.reserveKeys(Int(max(size, missing)), for: root)
        tables.withLock { $0[root.number, default: KeyTable()].add(keys) }
      }
    }
    return result
  }
}
