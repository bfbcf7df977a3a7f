/// A few numbers, to be searched very often.
struct NumberSet: Sendable {
  let sorted: [Int64]
  /// A bit for each hash that occurs, so that nearly all other numbers are turned away at once.
  private let bits: [UInt64]

  init(_ numbers: some Sequence<Int64>) {
    sorted = Set(numbers).sorted()
    var words = 1
    while words * 8 < sorted.count { words *= 2 }
    var bits = [UInt64](repeating: 0, count: words)
    for number in sorted {
      let hash = Self.hash(number)
      bits[Int(hash >> 6) & (words - 1)] |= 1 << (hash & 63)
    }
    self.bits = bits
  }

  @inline(__always)
  func contains(_ number: Int64) -> Bool {
    let hash = Self.hash(number)
    let word = bits.withUnsafeBufferPointer { $0[Int(hash >> 6) & ($0.count - 1)] }
    return word & (1 << (hash & 63)) != 0 && search(number)
  }

  private func search(_ number: Int64) -> Bool {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low] == number
  }

  @inline(__always)
  private static func hash(_ number: Int64) -> UInt64 {
    (UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15) >> 32
  }
}
