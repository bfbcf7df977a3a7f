extension DecimalNumber {
  /// What a store keeps of the number that a text spells; nil for a text that is no number, and where no
  /// Decimal is so large or so small.
  package init?(_ text: String) { self.init(bytes: text.utf8) }

  /// The number that a text spells; nil for none.
  package init?(bytes: some Sequence<UInt8>) {
    var reader = DecimalReader()
    for byte in bytes { guard reader.take(byte) else { return nil } }
    guard reader.isWhole else { return nil }
    self.init(
      isNegative: reader.isNegative, reader.digits, exponent: reader.exponent,
      hasRest: reader.hasRest)
  }

  /// Whether a text is a number as a whole: a sign, digits with a point, and an exponent.
  static func isSpelt(_ text: String) -> Bool {
    var reader = DecimalReader()
    return text.utf8.allSatisfy { reader.take($0) } && reader.isWhole
  }
}

/// Reads the text of a number byte by byte: 37 digits of it exactly, and whether there are more.
private struct DecimalReader {
  private enum Part { case start, whole, fraction, exponentStart, exponentSign, exponent }

  private(set) var isNegative = false
  private(set) var digits: UInt128 = 0
  private(set) var hasRest = false
  private var part = Part.start
  /// Whether there was a digit before the exponent.
  private var hasDigit = false
  /// The power of ten that the point stands for.
  private var shift = 0
  private var written = 0
  private var isWrittenNegative = false

  /// More than any text's length can make up for.
  private static let greatestExponent = 1 << 48
  private static let limit = DecimalNumber.powers[37]

  var exponent: Int { shift + (isWrittenNegative ? -written : written) }

  /// Whether the text may end here.
  var isWhole: Bool { hasDigit && part != .exponentStart && part != .exponentSign }

  /// - Returns: Whether the byte can follow.
  mutating func take(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): take(digit: Int(byte - UInt8(ascii: "0")))
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      let isMinus = byte == UInt8(ascii: "-")
      switch part {
      case .start: (isNegative, part) = (isMinus, .whole)
      case .exponentStart: (isWrittenNegative, part) = (isMinus, .exponentSign)
      case .whole, .fraction, .exponentSign, .exponent: return false
      }
    case UInt8(ascii: "."):
      guard part == .start || part == .whole else { return false }
      part = .fraction
    case UInt8(ascii: "e"), UInt8(ascii: "E"):
      guard hasDigit, part == .whole || part == .fraction else { return false }
      part = .exponentStart
    default: return false
    }
    return true
  }

  private mutating func take(digit: Int) {
    switch part {
    case .start: part = .whole
    case .exponentStart, .exponentSign: part = .exponent
    case .whole, .fraction, .exponent: break
    }
    if part == .exponent {
      written = min(written * 10 + digit, Self.greatestExponent)
      return
    }
    hasDigit = true
    if part == .fraction { shift -= 1 }
    if digits < Self.limit {
      digits = digits * 10 + UInt128(digit)
    } else {
      shift += 1
      if digit != 0 { hasRest = true }
    }
  }
}
