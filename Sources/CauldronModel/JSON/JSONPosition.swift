/// How far a parser has read. Bytes are named by their index in the running piece.
struct JSONPosition {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// How many bytes were read before this piece.
  private var offset = 0
  /// How many bytes of a byte order mark were read.
  private var markCount = 0
  private var line = 1
  private var lineStart = 0

  /// Where a byte is in the whole text.
  @inline(__always)
  func offset(of index: Int) -> Int { offset + index }

  /// A piece was read.
  mutating func endPiece(_ count: Int) { offset += count }

  /// A line begins.
  @inline(__always)
  mutating func beginLine(at index: Int) {
    line += 1
    lineStart = offset + index
  }

  /// Whether a byte belongs to the mark with which some programs begin a text in UTF-8.
  @inline(__always)
  mutating func takesMark(_ byte: UInt8, at index: Int) -> Bool {
    // Only the first bytes of a text can, so that all others cost one comparison.
    offset + index == markCount && takesNextOfMark(byte)
  }

  @inline(never)
  private mutating func takesNextOfMark(_ byte: UInt8) -> Bool {
    guard markCount < Self.mark.count, byte == Self.mark[markCount] else { return false }
    markCount += 1
    return true
  }

  /// Whether the mark has begun and is not whole.
  var isInMark: Bool { markCount == 1 || markCount == 2 }

  /// The line and the column of a byte, for people.
  func description(of index: Int) -> String {
    "line \(line), column \(offset + index - lineStart + 1)"
  }
}
