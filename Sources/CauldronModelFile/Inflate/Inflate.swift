import CauldronArchive

/// Takes apart what DEFLATE has compressed (RFC 1951).
struct Inflate {
  private var reader: BitReader
  private var output: [UInt8] = []
  private let limit: Int
  /// The code of blocks that bring none, once there was one.
  private var fixed: BlockCode?

  private init(_ bytes: [UInt8], _ limit: Int) {
    reader = BitReader(bytes)
    self.limit = limit
  }

  /// The bytes that a compressed stream stands for; what comes after its end is ignored.
  static func bytes(of stream: [UInt8], atMost limit: Int) throws(ArchiveFailure) -> [UInt8] {
    var inflate = Inflate(stream, limit)
    while try !inflate.block() {}
    return inflate.output
  }

  /// Reads a block, and tells whether it was the last one.
  private mutating func block() throws(ArchiveFailure) -> Bool {
    let isLast = try reader.bits(1) == 1
    switch try reader.bits(2) {
    case 0: try stored()
    case 1: try compressed(try fixedCode())
    case 2: try compressed(BlockCode(&reader))
    default: throw .compression
    }
    return isLast
  }

  private mutating func fixedCode() throws(ArchiveFailure) -> BlockCode {
    if let fixed { return fixed }
    let code = try BlockCode.fixed()
    fixed = code
    return code
  }

  private mutating func stored() throws(ArchiveFailure) {
    reader.skipToByte()
    let count = try reader.bits(16)
    guard try reader.bits(16) == count ^ 0xFFFF else { throw .compression }
    try makeRoom(count)
    output += try reader.take(count)
  }

  private mutating func compressed(_ code: BlockCode) throws(ArchiveFailure) {
    while true {
      let symbol = try code.literals.symbol(&reader)
      if symbol == BlockCode.end { return }
      if symbol < BlockCode.end {
        try makeRoom(1)
        output.append(UInt8(symbol))
      } else {
        let count = try code.length(of: symbol, from: &reader)
        try copy(count, from: try code.distance(&reader))
      }
    }
  }

  /// Repeats bytes that came before; they may reach into what is being written.
  private mutating func copy(_ count: Int, from distance: Int) throws(ArchiveFailure) {
    guard distance <= output.count else { throw .compression }
    try makeRoom(count)
    let start = output.count - distance
    var left = count
    while left > 0 {
      let part = min(left, output.count - start)
      // As an array of its own, because a slice would have all of the output copied.
      output += Array(output[start..<(start + part)])
      left -= part
    }
  }

  private func makeRoom(_ count: Int) throws(ArchiveFailure) {
    guard count <= limit - output.count else { throw .compression }
  }
}

/// DEFLATE without compression, which every reader takes: a model is small, and written seldom.
enum StoredBlocks {
  private static let longest = 0xFFFF

  static func bytes(of input: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = input[...]
    repeat {
      let part = rest.prefix(longest)
      rest = rest.dropFirst(part.count)
      let count = UInt16(part.count)
      result.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] { result += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      result += part
    } while !rest.isEmpty
    return result
  }
}

/// Reads bits, the least significant one of each byte first.
struct BitReader {
  private let bytes: [UInt8]
  private var next = 0
  /// The bits of the byte before `next` that are still to be read: fewer than eight.
  private var rest = 0
  private var restCount = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next bits, at most 16, as a number.
  mutating func bits(_ count: Int) throws(ArchiveFailure) -> Int {
    while restCount < count {
      guard next < bytes.count else { throw .compression }
      rest |= Int(bytes[next]) << restCount
      restCount += 8
      next += 1
    }
    let value = rest & (1 << count - 1)
    rest >>= count
    restCount -= count
    return value
  }

  /// Skips what is left of a byte.
  mutating func skipToByte() { (rest, restCount) = (0, 0) }

  /// The next whole bytes.
  mutating func take(_ count: Int) throws(ArchiveFailure) -> ArraySlice<UInt8> {
    guard count <= bytes.count - next else { throw .compression }
    next += count
    return bytes[(next - count)..<next]
  }
}
