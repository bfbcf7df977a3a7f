import CauldronModel

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

  /// Whether all of some keys are in the set; keys that follow one another share a step.
  func contains(all keys: some Sequence<Int64>) -> Bool {
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
