import CauldronModel
import Dispatch

/// Hands out primary keys from blocks that were reserved durably in the store.
///
/// A key handed out never changes and is never given to anybody else, also not to another process;
/// what is left of a block at the end is given back, and gaps are normal.
///
/// `@unchecked Sendable` because the table is behind a lock and the rest is immutable.
final class KeyAllocator: @unchecked Sendable {
  private let store: any PersistentStore
  private let tables = Locked<[Int32: Table]>([:])
  /// One block is fetched at a time; refills run here, away from whoever creates objects.
  private let refills = DispatchQueue(label: "cauldron.keys", qos: .userInitiated)

  private struct Table {
    var free: [Range<Int64>] = []
    /// Every block that was reserved here, for the question whether a key is committed.
    var reserved: [Range<Int64>] = []
    var committed = KeyBitmap()
    /// The size of the block that was reserved last. Blocks grow quickly, because reserving one is a
    /// commit with its fsync.
    var size: Int64 = 0
    var isRefilling = false

    func isUncommitted(_ key: Int64) -> Bool {
      reserved.contains { $0.contains(key) } && !committed.contains(key)
    }
  }

  init(store: any PersistentStore) { self.store = store }

  /// Takes up to `count` keys, at least one.
  /// - Throws: What the store throws where a new block is needed and cannot be reserved.
  func take(_ count: Int64, _ root: EntityLayout) throws -> Range<Int64> {
    while true {
      let (keys, refill) = tables.withLock { Self.take(count, &$0[root.number, default: Table()]) }
      if refill {
        refills.async { try? self.reserve(root) }
      }
      if let keys { return keys }
      try refills.sync { try reserveIfEmpty(root) }
    }
  }

  /// Gives keys back that were not used, for others in this process.
  func giveBack(_ keys: Range<Int64>, _ root: EntityLayout) {
    guard !keys.isEmpty else { return }
    tables.withLock { $0[root.number, default: Table()].free.insert(keys, at: 0) }
  }

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
    tables.withLock { $0[root]?.isUncommitted(key) ?? false }
  }

  /// Whether one of the keys belongs to an object that no commit has written yet.
  func isAnyUncommitted(_ keys: [Int64], _ root: Int32) -> Bool {
    if keys.isEmpty { return false }
    return tables.withLock { tables in
      guard let table = tables[root] else { return false }
      return keys.contains { table.isUncommitted($0) }
    }
  }

  /// Returns what is left to the store, from the top down to the first key that was used.
  func close(_ model: ManagedObjectModel) {
    refills.sync {}
    let left = tables.withLock { tables in
      let left = tables.mapValues { Self.joined($0.free) }
      for number in left.keys { tables[number]?.free = [] }
      return left
    }
    for (number, ranges) in left {
      guard let root = model.layout(number: number), let top = ranges.last else { continue }
      try? store.returnKeys(top, for: root)
    }
  }

  /// Ranges in ascending order, neighbours joined.
  private static func joined(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, last.upperBound == range.lowerBound {
        result[result.count - 1] = last.lowerBound..<range.upperBound
      } else {
        result.append(range)
      }
    }
    return result
  }

  private static func take(_ count: Int64, _ table: inout Table) -> (Range<Int64>?, Bool) {
    guard let first = table.free.first else { return (nil, false) }
    let keys = first.lowerBound..<min(first.upperBound, first.lowerBound + count)
    let rest = keys.upperBound..<first.upperBound
    if rest.isEmpty { table.free.removeFirst() } else { table.free[0] = rest }
    let left = table.free.reduce(0) { $0 + Int64($1.count) }
    let refill = left < table.size / 2 && !table.isRefilling
    if refill { table.isRefilling = true }
    return (keys, refill)
  }

  private func reserveIfEmpty(_ root: EntityLayout) throws {
    if tables.withLock({ $0[root.number]?.free.isEmpty ?? true }) { try reserve(root) }
  }

  /// Runs on `refills`.
  private func reserve(_ root: EntityLayout) throws {
    defer { tables.withLock { $0[root.number]?.isRefilling = false } }
    let size = tables.withLock { tables in
      let last = tables[root.number, default: Table()].size
      return last == 0 ? 1 << 10 : min(last * 8, 1 << 16)
    }
    let keys = try store.reserveKeys(Int(size), for: root)
    tables.withLock { tables in
      tables[root.number]?.size = size
      tables[root.number]?.free.append(keys)
      tables[root.number]?.reserved.append(keys)
    }
  }
}

/// A set of keys, one bit each.
struct KeyBitmap {
  private var words: [Int64: UInt64] = [:]

  /// Adds the keys of rows; keys that follow one another share a step.
  mutating func insert(_ rows: [RowPointer]) {
    var number: Int64 = -1
    var bits: UInt64 = 0
    for row in rows {
      let key = row.key
      if key >> 6 != number {
        if bits != 0 { words[number, default: 0] |= bits }
        number = key >> 6
        bits = 0
      }
      bits |= 1 << UInt64(key & 63)
    }
    if bits != 0 { words[number, default: 0] |= bits }
  }

  mutating func insert(_ keys: ClosedRange<Int64>) {
    for number in keys.lowerBound >> 6...keys.upperBound >> 6 {
      let low = max(keys.lowerBound - number << 6, 0)
      let high = min(keys.upperBound - number << 6, 63)
      words[number, default: 0] |= (UInt64.max >> UInt64(63 - (high - low))) << UInt64(low)
    }
  }

  func contains(_ key: Int64) -> Bool { (words[key >> 6] ?? 0) & 1 << UInt64(key & 63) != 0 }
}
