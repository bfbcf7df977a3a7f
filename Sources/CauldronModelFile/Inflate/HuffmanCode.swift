/// A canonical prefix code (RFC 1951, 3.2.2): shorter codes come first, and equal lengths by symbol.
struct HuffmanCode {
  private static let longest = 15

  /// How many codes there are of each length.
  private var counts = [Int](repeating: 0, count: longest + 1)
  /// The symbols in the order of their codes.
  private var symbols: [Int] = []

  /// Makes the code in which each symbol has so many bits; 0 means that it does not occur.
  init(lengths: ArraySlice<UInt8>) throws(StoredModelFailure) {
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    try checkCompleteness()
    var places = [Int](repeating: 0, count: Self.longest + 2)
    for length in 1...Self.longest { places[length + 1] = places[length] + counts[length] }
    symbols = [Int](repeating: 0, count: places[Self.longest + 1])
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[places[Int(length)]] = symbol
      places[Int(length)] += 1
    }
  }

  /// Every sequence of bits must mean something, once; a code of one symbol alone may leave gaps.
  private func checkCompleteness() throws(StoredModelFailure) {
    var free = 1
    for length in 1...Self.longest {
      free = 2 * free - counts[length]
      if free < 0 { throw .compression }
    }
    let total = counts.reduce(0, +)
    guard free == 0 || (total == counts[1] && total <= 1) else { throw .compression }
  }

  /// Reads the next symbol.
  func symbol(_ reader: inout BitReader) throws(StoredModelFailure) -> Int {
    var code = 0
    /// The first code of the length, and the place of its symbol.
    var first = 0
    var place = 0
    for length in 1...Self.longest {
      code = try code << 1 | reader.bits(1)
      if code - first < counts[length] { return symbols[place + code - first] }
      place += counts[length]
      first = (first + counts[length]) << 1
    }
    throw .compression
  }
}
