// The bits of a page's keys.
extension InlineArray where Element == UInt64 {
  func contains(_ bit: Int) -> Bool { self[bit >> 6] & 1 << UInt64(bit & 63) != 0 }

  mutating func insert(_ bit: Int) { self[bit >> 6] |= 1 << UInt64(bit & 63) }

  mutating func remove(_ bit: Int) { self[bit >> 6] &= ~(1 << UInt64(bit & 63)) }

  /// How many bits are set before one.
  func rank(_ bit: Int) -> Int {
    var sum = (self[bit >> 6] & (1 << UInt64(bit & 63) - 1)).nonzeroBitCount
    for word in 0..<bit >> 6 { sum += self[word].nonzeroBitCount }
    return sum
  }
}
