package import CauldronModel
package import CauldronStore
import Dispatch

/// Hands out primary keys from blocks that were reserved durably in the store.
///
/// A reserved key is never given to anybody else, also not to another process; what is left of a
/// block at the end is given back, and gaps are normal. Whoever creates an object never waits: while
/// somebody else writes to the store, the keys are provisional.
///
/// `@unchecked Sendable` because the tables are behind a lock and the rest is immutable.
package final class KeyAllocator: @unchecked Sendable {
  package let store: any PersistentStore
  package let provisional: ProvisionalKeys
  package let tables = Locked<[Int32: KeyTable]>([:])
  /// Held while a block is reserved at once, so that two who need one do not reserve two.
  // Not empty: ThreadSanitizer takes an empty value for the object's first word.
  private let reservation = Locked(false)
  /// Refills run here, away from whoever creates objects.
  private let refills = DispatchQueue(label: "cauldron.keys", qos: .userInitiated)
  private let isClosed = Locked(false)

  init(store: any PersistentStore, provisional: ProvisionalKeys) {
    self.store = store
    self.provisional = provisional
  }

  /// Takes up to `count` keys, at least one; a single provisional one where no key can be reserved
  /// at once.
  package func take(_ count: Int64, root: EntityLayout) -> Range<Int64> {
    while true {
      let (keys, refill) = tables.withLock { $0[root.number, default: KeyTable()].take(count) }
      if refill { refills.async { _ = self.reserveAtOnce(root) } }
      if let keys { return keys }
      let mayTry = tables.withLock { $0[root.number]?.mayTry ?? true }
      guard mayTry, reserveAtOnce(root, ifEmpty: true) else {
        let key = provisional.next()
        return key..<key + 1
      }
    }
  }

  /// Gives keys back that were not used, for others in this process.
  package func giveBack(_ keys: Range<Int64>, root: EntityLayout) {
    guard !keys.isEmpty, keys.lowerBound > 0 else { return }
    tables.withLock { $0[root.number, default: KeyTable()].giveBack(keys) }
  }

  /// Returns what is left to the store, from the top down to the first key that was used.
  package func close(_ model: ManagedObjectModel) {
    isClosed.withLock { $0 = true }
    refills.sync {}
    let left = tables.withLock { tables in
      let left = tables.mapValues(\.joinedFree)
      for number in left.keys { tables[number]?.forgetFree() }
      return left
    }
    for (number, ranges) in left {
      guard let root = model.layout(number: number), let top = ranges.last else { continue }
      try? store.returnKeys(top, for: root)
    }
  }

  /// Reserves the next block if that needs no waiting; else it is tried again in the background.
  /// - Parameter ifEmpty: Whether another's block will do, that came meanwhile.
  /// - Returns: Whether there are keys now.
  private func reserveAtOnce(
    _ root: EntityLayout, ifEmpty: Bool = false, retryAfter delay: Int = 1
  ) -> Bool {
    reservation.withLock { _ in
      if ifEmpty, tables.withLock({ $0[root.number]?.free.isEmpty == false }) { return true }
      let size = tables.withLock { $0[root.number, default: KeyTable()].nextSize }
      do {
        if let keys = try store.reserveKeysAtOnce(Int(size), for: root) {
          tables.withLock { $0[root.number, default: KeyTable()].add(keys) }
          return true
        }
        tables.withLock { $0[root.number, default: KeyTable()].isLocked = true }
        retry(root, after: delay)
      } catch {
        // The save that needs a key throws the reason.
        tables.withLock { $0[root.number, default: KeyTable()].fail() }
      }
      return false
    }
  }

  /// Tries again when others have had time to finish what they write.
  private func retry(_ root: EntityLayout, after delay: Int) {
    refills.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
      guard let self, !isClosed.withLock({ $0 }),
        tables.withLock({ $0[root.number]?.isLocked ?? false })
      else { return }
      _ = reserveAtOnce(root, retryAfter: min(2 * delay, 50))
    }
  }
}

// Which keys belong to objects that no commit has written yet.
extension KeyAllocator {
  /// Records that rows were committed.
  package func markCommitted(_ changes: EntityChanges) {
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
  package func isUncommitted(_ key: Int64, root: Int32) -> Bool {
    let key = provisional.final(key, entity: root)
    if key < 0 { return true }
    return tables.withLock { $0[root]?.isUncommitted(key) ?? false }
  }

  /// Whether a key was reserved by this coordinator, so that it knows what became of it.
  package func isReserved(_ key: Int64, root: Int32) -> Bool {
    let key = provisional.final(key, entity: root)
    if key < 0 { return true }
    return tables.withLock { $0[root]?.isReserved(key) ?? false }
  }

  /// Whether one of the keys belongs to an object that no commit has written yet.
  func isAnyUncommitted(_ keys: [Int64], root: Int32) -> Bool {
    if keys.isEmpty { return false }
    return tables.withLock { tables in
      keys.contains { $0 < 0 } || tables[root]?.isAnyUncommitted(keys) ?? false
    }
  }
}

extension KeyAllocator {
  /// Reserves a key for each object that change sets insert under a provisional one.
  ///
  /// It waits for the store's lock, as the save does that needs the keys.
  /// - Throws: What the store throws.
  package func exchanges(for sets: [ChangeSet]) throws -> [ProvisionalKeys.Exchange] {
    var result: [ProvisionalKeys.Exchange] = []
    var seen: Set<Int64> = []
    // A join has the keys of its ends.
    for set in sets.flatMap(\.entities) where set.insertedRows.leastKey < 0 && !set.entity.isJoin {
      let old = set.inserted.map(\.key).filter { $0 < 0 && seen.insert($0).inserted }
      result += try exchanges(for: old, set.entity.root)
    }
    return result
  }

  /// Reserves a key for each of some provisional ones of a root entity.
  package func exchanges(
    for old: [Int64], _ root: EntityLayout
  ) throws -> [ProvisionalKeys.Exchange] {
    let new = try reserved(Int64(old.count), root: root)
    return zip(old, new.joined()).map { old, new in
      ProvisionalKeys.Exchange(old: old, new: new, root: root.number)
    }
  }

  /// Exactly so many keys, whatever has to be waited for.
  package func reserved(_ count: Int64, root: EntityLayout) throws -> [Range<Int64>] {
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

/// A set of keys, one bit each.
package struct KeyBitmap {
  private var words: [Int64: UInt64] = [:]

  /// Adds the keys of rows; keys that follow one another share a step.
  package mutating func insert(_ rows: [RowPointer]) {
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

  package mutating func insert(_ keys: ClosedRange<Int64>) {
    for number in keys.lowerBound >> 6...keys.upperBound >> 6 {
      let low = max(keys.lowerBound - number << 6, 0)
      let high = min(keys.upperBound - number << 6, 63)
      words[number, default: 0] |= (UInt64.max >> UInt64(63 - (high - low))) << UInt64(low)
    }
  }

  package func contains(_ key: Int64) -> Bool {
    (words[key >> 6] ?? 0) & 1 << UInt64(key & 63) != 0
  }

  /// Whether all of some keys are in the set; keys that follow one another share a step.
  package func contains(all keys: some Sequence<Int64>) -> Bool {
    var number: Int64 = -1
    var bits: UInt64 = 0
    for key in keys {
      if key >> 6 != number {
        number = key >> 6
        bits = words[number] ?? 0
      }
      if bits & 1 << UInt64(key & 63) == 0 { return false }
    }
    return true
  }
}

/// The keys of one root entity that were reserved in the store.
package struct KeyTable {
  /// In reverse order: the next range is the last one, so that taking it and giving it back move no range.
  package private(set) var free: [Range<Int64>] = []
  /// How many keys these are.
  private var freeCount: Int64 = 0
  /// Every block that was reserved here, for the question whether a key is committed.
  private var reserved: [Range<Int64>] = []
  package var committed = KeyBitmap()
  /// The size of the block that was reserved last. Blocks grow quickly, because reserving one is a
  /// transaction, and while others write there is none to be had.
  private var size: Int64 = 0
  private var isRefilling = false
  /// Whether somebody else was writing at the last attempt; then another one is on its way, and
  /// nobody else need try.
  package var isLocked = false
  /// Before that, it is not tried again, because the store has failed.
  private var pausesUntil: DispatchTime?

  /// Whether it makes sense to try to reserve a block now.
  var mayTry: Bool { !isLocked && pausesUntil.map { $0 <= .now() } ?? true }

  /// The size of the next block.
  var nextSize: Int64 { size == 0 ? 1 << 10 : min(size * 8, 1 << 18) }

  /// Takes up to `count` keys, at least one; nil where there is none.
  /// - Returns: Also whether it is time for another block.
  package mutating func take(_ count: Int64) -> (Range<Int64>?, refill: Bool) {
    guard let first = free.popLast() else { return (nil, false) }
    let keys = first.lowerBound..<(first.lowerBound + min(count, Int64(first.count)))
    let rest = keys.upperBound..<first.upperBound
    if !rest.isEmpty { free.append(rest) }
    freeCount -= Int64(keys.count)
    let refill = freeCount < size / 2 && !isRefilling && mayTry
    if refill { isRefilling = true }
    return (keys, refill)
  }

  /// Takes keys back that were not used; they are the next to be taken.
  package mutating func giveBack(_ keys: Range<Int64>) {
    free.append(keys)
    freeCount += Int64(keys.count)
  }

  /// All that is free has gone back to the store.
  mutating func forgetFree() { (free, freeCount) = ([], 0) }

  /// Takes a block in, behind what is free.
  package mutating func add(_ keys: Range<Int64>) {
    size = max(size, Int64(keys.count))
    free.insert(keys, at: 0)
    freeCount += Int64(keys.count)
    reserved.append(keys)
    isRefilling = false
    isLocked = false
    pausesUntil = nil
  }

  /// The store has failed to reserve a block, for another reason than somebody else's lock.
  package mutating func fail() {
    isRefilling = false
    isLocked = false
    pausesUntil = .now() + .milliseconds(100)
  }

  package func isUncommitted(_ key: Int64) -> Bool { isReserved(key) && !committed.contains(key) }

  package func isReserved(_ key: Int64) -> Bool { reserved.contains { $0.contains(key) } }

  /// Whether one of the keys is not committed.
  func isAnyUncommitted(_ keys: [Int64]) -> Bool {
    reserved.contains { block in !committed.contains(all: keys.lazy.filter(block.contains)) }
  }

  /// What is free in ascending order, neighbours joined.
  var joinedFree: [Range<Int64>] {
    var result: [Range<Int64>] = []
    for range in free.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, last.upperBound == range.lowerBound {
        result[result.count - 1] = last.lowerBound..<range.upperBound
      } else {
        result.append(range)
      }
    }
    return result
  }
}
