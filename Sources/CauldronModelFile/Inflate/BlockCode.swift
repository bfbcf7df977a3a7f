import CauldronArchive

/// The two codes of a compressed block: of bytes and lengths, and of distances (RFC 1951, 3.2.5).
struct BlockCode {
  /// The symbol that ends a block; smaller ones are bytes, greater ones lengths.
  static let end = 256

  let literals: HuffmanCode
  private let distances: HuffmanCode

  /// The lengths of the symbols from 257 on, without their further bits.
  private static let lengths = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let order = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  private init(_ lengths: [UInt8], literals count: Int) throws(ArchiveFailure) {
    literals = try HuffmanCode(lengths: lengths[..<count])
    distances = try HuffmanCode(lengths: lengths[count...])
  }

  /// The code of blocks that bring none.
  static func fixed() throws(ArchiveFailure) -> BlockCode {
    let lengths = [(144, 8), (112, 9), (24, 7), (8, 8), (32, 5)].flatMap { count, length in
      [UInt8](repeating: UInt8(length), count: count)
    }
    return try BlockCode(lengths, literals: 288)
  }

  /// Reads the code that a block begins with.
  init(_ reader: inout BitReader) throws(ArchiveFailure) {
    let literals = try reader.bits(5) + 257
    let distances = try reader.bits(5) + 1
    let count = try reader.bits(4) + 4
    guard literals <= 286, distances <= 30 else { throw .compression }
    var lengths = [UInt8](repeating: 0, count: Self.order.count)
    for place in Self.order.prefix(count) { lengths[place] = UInt8(try reader.bits(3)) }
    let code = try HuffmanCode(lengths: lengths[...])
    let all = try Self.lengths(literals + distances, by: code, from: &reader)
    // Without it no block would end.
    guard all[Self.end] > 0 else { throw .compression }
    try self.init(all, literals: literals)
  }

  /// Reads the lengths of both codes, in which runs are shortened.
  private static func lengths(
    _ count: Int, by code: HuffmanCode, from reader: inout BitReader
  ) throws(ArchiveFailure) -> [UInt8] {
    var result: [UInt8] = []
    while result.count < count {
      let symbol = try code.symbol(&reader)
      switch symbol {
      case 16:
        guard let last = result.last else { throw .compression }
        result += [UInt8](repeating: last, count: try reader.bits(2) + 3)
      case 17: result += [UInt8](repeating: 0, count: try reader.bits(3) + 3)
      case 18: result += [UInt8](repeating: 0, count: try reader.bits(7) + 11)
      default: result.append(UInt8(symbol))
      }
    }
    guard result.count == count else { throw .compression }
    return result
  }

  /// The number of bytes to repeat that a symbol and the bits after it say.
  func length(of symbol: Int, from reader: inout BitReader) throws(ArchiveFailure) -> Int {
    let index = symbol - Self.end - 1
    guard index < Self.lengths.count else { throw .compression }
    let isPlain = index < 8 || index == Self.lengths.count - 1
    return try Self.lengths[index] + reader.bits(isPlain ? 0 : index / 4 - 1)
  }

  /// Reads how far back the bytes are that are repeated.
  func distance(_ reader: inout BitReader) throws(ArchiveFailure) -> Int {
    let symbol = try distances.symbol(&reader)
    guard symbol < 30 else { throw .compression }
    if symbol < 4 { return symbol + 1 }
    let bits = symbol / 2 - 1
    return try (2 + symbol % 2) << bits + 1 + reader.bits(bits)
  }
}

/// A canonical prefix code (RFC 1951, 3.2.2): shorter codes come first, and equal lengths by symbol.
struct HuffmanCode {
  private static let longest = 15

  /// How many codes there are of each length.
  private var counts = [Int](repeating: 0, count: longest + 1)
  /// The symbols in the order of their codes.
  private var symbols: [Int] = []

  /// Makes the code in which each symbol has so many bits; 0 means that it does not occur.
  init(lengths: ArraySlice<UInt8>) throws(ArchiveFailure) {
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
  private func checkCompleteness() throws(ArchiveFailure) {
    var free = 1
    for length in 1...Self.longest {
      free = 2 * free - counts[length]
      if free < 0 { throw .compression }
    }
    let total = counts.reduce(0, +)
    guard free == 0 || (total == counts[1] && total <= 1) else { throw .compression }
  }

  /// Reads the next symbol.
  func symbol(_ reader: inout BitReader) throws(ArchiveFailure) -> Int {
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
