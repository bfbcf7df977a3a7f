/// Reads bits, the least significant one of each byte first.
struct BitReader {
  private let bytes: [UInt8]
  private var next = 0
  /// The bits of the byte before `next` that are still to be read: fewer than eight.
  private var rest = 0
  private var restCount = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next bits, at most 16, as a number.
  mutating func bits(_ count: Int) throws(StoredModelFailure) -> Int {
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
  mutating func take(_ count: Int) throws(StoredModelFailure) -> ArraySlice<UInt8> {
    guard count <= bytes.count - next else { throw .compression }
    next += count
    return bytes[(next - count)..<next]
  }
}
