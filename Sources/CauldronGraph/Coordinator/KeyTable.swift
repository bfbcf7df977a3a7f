import CauldronModel
import Dispatch

/// The keys of one root entity that were reserved in the store.
struct KeyTable {
  var free: [Range<Int64>] = []
  /// Every block that was reserved here, for the question whether a key is committed.
  private var reserved: [Range<Int64>] = []
  var committed = KeyBitmap()
  /// The size of the block that was reserved last. Blocks grow quickly, because reserving one is a
  /// transaction, and while others write there is none to be had.
  private var size: Int64 = 0
  private var isRefilling = false
  /// Whether somebody else was writing at the last attempt; then another one is on its way, and
  /// nobody else need try.
  var isLocked = false
  /// Before that, it is not tried again, because the store has failed.
  private var pausesUntil: DispatchTime?

  /// Whether it makes sense to try to reserve a block now.
  var mayTry: Bool { !isLocked && pausesUntil.map { $0 <= .now() } ?? true }

  /// The size of the next block.
  var nextSize: Int64 { size == 0 ? 1 << 10 : min(size * 8, 1 << 18) }

  /// Takes up to `count` keys, at least one; nil where there is none.
  /// - Returns: Also whether it is time for another block.
  mutating func take(_ count: Int64) -> (Range<Int64>?, refill: Bool) {
    guard let first = free.first else { return (nil, false) }
    let keys = first.lowerBound..<(first.lowerBound + min(count, Int64(first.count)))
    let rest = keys.upperBound..<first.upperBound
    if rest.isEmpty { free.removeFirst() } else { free[0] = rest }
    let left = free.reduce(0) { $0 + Int64($1.count) }
    let refill = left < size / 2 && !isRefilling && mayTry
    if refill { isRefilling = true }
    return (keys, refill)
  }

  /// Takes a block in.
  mutating func add(_ keys: Range<Int64>) {
    size = max(size, Int64(keys.count))
    free.append(keys)
    reserved.append(keys)
    isRefilling = false
    isLocked = false
    pausesUntil = nil
  }

  /// The store has failed to reserve a block, for another reason than somebody else's lock.
  mutating func fail() {
    isRefilling = false
    isLocked = false
    pausesUntil = .now() + .milliseconds(100)
  }

  func isUncommitted(_ key: Int64) -> Bool { isReserved(key) && !committed.contains(key) }

  func isReserved(_ key: Int64) -> Bool { reserved.contains { $0.contains(key) } }

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
