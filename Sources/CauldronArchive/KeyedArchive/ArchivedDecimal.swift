import Foundation

/// The parts of a decimal number as `NSDecimalNumber` archives them.
struct ArchivedDecimal {
  /// The digits of its mantissa, in words of 16 bits.
  var words: [UInt16]
  var exponent: Int
  var isNegative: Bool
}

extension ArchivedDecimal {
  private static let wordCount = 8

  /// - Parameter mantissa: 16 bytes; what lies beyond the first `length` words is of no account.
  init?(mantissa: [UInt8], length: Int, isBigEndian: Bool, exponent: Int, isNegative: Bool) {
    guard mantissa.count >= 2 * Self.wordCount, (0...Self.wordCount).contains(length),
      (-128...127).contains(exponent), length > 0 || !isNegative
    else { return nil }
    words = (0..<length).map { index in
      let pair = (UInt16(mantissa[2 * index]), UInt16(mantissa[2 * index + 1]))
      return isBigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
    }
    (self.exponent, self.isNegative) = (exponent, isNegative)
  }

  /// The number that a text spells out; nil where it spells none.
  init?(_ text: String) {
    guard let value = Decimal(string: text), !value.isNaN,
      var digits = UInt128(value.significand.magnitude.description)
    else { return nil }
    words = []
    while digits > 0 {
      words.append(UInt16(truncatingIfNeeded: digits))
      digits >>= 16
    }
    exponent = value.isZero ? 0 : value.exponent
    isNegative = value.sign == .minus && !value.isZero
  }

  /// The number written out.
  var text: String? {
    let digits = words.reversed().reduce(UInt128(0)) { $0 << 16 | UInt128($1) }
    let value = Decimal(string: "\(isNegative ? "-" : "")\(digits)e\(exponent)")
    return value.flatMap { $0.isNaN ? nil : $0.description }
  }

  /// The mantissa with the least significant byte first.
  var mantissa: [UInt8] {
    (0..<Self.wordCount).flatMap { index in
      let word = index < words.count ? words[index] : 0
      return [UInt8(word & 0xFF), UInt8(word >> 8)]
    }
  }
}

extension ArchivedObject {
  /// The decimal number that the object is, written out; nil where it is none.
  package var decimal: String? {
    guard case .data(let mantissa)? = values["NS.mantissa"], let length = integer("NS.length"),
      let exponent = integer("NS.exponent")
    else { return nil }
    let decimal = ArchivedDecimal(
      mantissa: mantissa, length: length, isBigEndian: integer("NS.mantissa.bo") == 2,
      exponent: exponent, isNegative: flag("NS.negative"))
    return decimal?.text
  }
}
