/// The text, name or number that a parser is reading, whose bytes so far are the last ones of its tape.
struct JSONOpenText {
  /// What an escaped unit means after those before it.
  enum Meaning {
    case scalar(UInt32)
    /// The first half of a pair; the second one has to follow.
    case firstHalf
    /// Half a pair without the other.
    case nothing
  }

  /// What stands for a text or a name with half a pair: only the record is refused that needs it.
  static let halfPair = Array("a text with half a pair of escaped units".utf8)

  /// Where its bytes begin in the tape.
  private(set) var start = 0
  /// Whether it is the name of a value.
  private(set) var isName = false
  /// Whether it has more than ASCII.
  private(set) var isWide = false
  /// Whether it has half a pair.
  private(set) var isBroken = false
  /// The first half of a pair of units, once the escape of the second one has begun.
  private var firstHalf: UInt16?

  /// Begins another one.
  @inline(__always)
  mutating func begin(at start: Int, isName: Bool = false) {
    self.start = start
    self.isName = isName
    (isWide, isBroken) = (false, false)
  }

  /// Notes bytes that were read.
  /// - Parameter bits: The bits of all of them.
  @inline(__always)
  mutating func note(_ bits: UInt8) { if bits >= 0x80 { isWide = true } }

  /// Notes an escaped unit.
  mutating func note(unit: UInt16) -> Meaning {
    if let high = firstHalf {
      firstHalf = nil
      if UTF16.isTrailSurrogate(unit) {
        return .scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00))
      }
      isBroken = true
    }
    if UTF16.isTrailSurrogate(unit) {
      isBroken = true
      return .nothing
    }
    return UTF16.isLeadSurrogate(unit) ? .firstHalf : .scalar(UInt32(unit))
  }

  /// What a byte after the first half of a pair begins.
  enum Follower {
    /// An escape, which may be that of the second half.
    case escape
    /// The digits of the second half.
    case digits
    /// Another part of the text, so that half a pair is missing; the byte is still to be read.
    case part(isEscaped: Bool)
  }

  /// Notes a byte after the first half of a pair.
  mutating func note(_ byte: UInt8, after high: UInt16) -> Follower {
    guard firstHalf != nil else {
      if byte == 0x5C {
        firstHalf = high
        return .escape
      }
      isBroken = true
      return .part(isEscaped: false)
    }
    if byte == 0x75 { return .digits }
    firstHalf = nil
    isBroken = true
    return .part(isEscaped: true)
  }
}
