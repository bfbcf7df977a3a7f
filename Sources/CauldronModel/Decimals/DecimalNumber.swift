package import Foundation

/// A decimal number as stores keep it: an integer of 64 bits, or 15 significant digits and a power of
/// ten that a `Decimal` can have, too.
///
/// All that is read, compared, rounded and calculated of decimals is done here, in integers. The same
/// operations of Foundation's `Decimal` trap where an exponent leaves its range, and read no `1e+128`.
/// (SQLite keeps 15 digits of what is no integer: https://www.sqlite.org/floatingpoint.html.)
@frozen @usableFromInline
package struct DecimalNumber: Hashable, Sendable {
  @usableFromInline package let isNegative: Bool
  /// The digits, with no zero at their end; 0 for zero.
  @usableFromInline package let digits: UInt64
  /// The power of ten that the digits are multiplied by; 0 for zero.
  @usableFromInline package let exponent: Int

  package static let zero = DecimalNumber(0)

  /// The most digits that are kept in any case.
  package static let significantDigits = 15
  /// The powers of ten that a `Decimal` has for its last digit.
  static let exponents = -128...127
  static let powers: [UInt128] = (0...38).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

  /// The nearest number that a store keeps; nil where no Decimal is so large or so small.
  /// - Parameter hasRest: Whether more follows behind the last digit.
  init?(isNegative: Bool, _ digits: UInt128, exponent: Int, hasRest: Bool = false) {
    var (digits, exponent) = Self.withoutZeros(digits, exponent: exponent)
    let isWhole =
      !hasRest && Self.whole(isNegative: isNegative, digits: digits, exponent: exponent) != nil
    let excess = isWhole ? 0 : Self.count(digits) - Self.significantDigits
    if excess > 0 {
      let rounded = Self.rounded(digits, dropping: excess, hasRest: hasRest)
      (digits, exponent) = Self.withoutZeros(rounded, exponent: exponent + excess)
    }
    guard digits > 0 else {
      self = .zero
      return
    }
    guard Self.isDecimal(digits, exponent: exponent) else { return nil }
    self.isNegative = isNegative
    self.digits = UInt64(digits)
    self.exponent = exponent
  }

  /// An integer.
  package init(_ value: Int64) {
    isNegative = value < 0
    (digits, exponent) = Self.withoutZeros(value.magnitude, exponent: 0)
  }

  private static func withoutZeros(_ digits: UInt128, exponent: Int) -> (UInt128, Int) {
    if digits <= UInt64.max {
      let (small, exponent) = withoutZeros(UInt64(digits), exponent: exponent)
      return (UInt128(small), exponent)
    }
    var (digits, exponent) = (digits, exponent)
    while digits.isMultiple(of: 10) { (digits, exponent) = (digits / 10, exponent + 1) }
    return (digits, exponent)
  }

  private static func withoutZeros(_ digits: UInt64, exponent: Int) -> (UInt64, Int) {
    if digits == 0 { return (0, 0) }
    var (digits, exponent) = (digits, exponent)
    while digits.isMultiple(of: 10) { (digits, exponent) = (digits / 10, exponent + 1) }
    return (digits, exponent)
  }

  /// Half way between two numbers, to the even one.
  private static func rounded(
    _ digits: UInt128, dropping count: Int, hasRest: Bool
  ) -> UInt128 {
    let (whole, rest) = digits.quotientAndRemainder(dividingBy: powers[count])
    let half = powers[count] / 2
    let isUp = rest > half || rest == half && (hasRest || !whole.isMultiple(of: 2))
    return isUp ? whole + 1 : whole
  }

  /// Whether there is such a `Decimal`, whose digits are a number of 128 bits.
  private static func isDecimal(_ digits: UInt128, exponent: Int) -> Bool {
    if exponents.contains(exponent) { return true }
    let zeros = exponent - exponents.upperBound
    guard powers.indices.contains(zeros) else { return false }
    return !digits.multipliedReportingOverflow(by: powers[zeros]).overflow
  }

  /// The integer of 64 bits; nil for what is none.
  private static func whole(isNegative: Bool, digits: UInt128, exponent: Int) -> Int64? {
    guard (0...18).contains(exponent), digits <= UInt64.max else { return nil }
    let value = digits * powers[exponent]
    if isNegative, value == UInt128(Int64.min.magnitude) { return .min }
    return Int64(exactly: value).map { isNegative ? -$0 : $0 }
  }

  /// How many digits a number has; 1 for zero.
  static func count(_ digits: UInt128) -> Int {
    // About a third of its bits, and one more where that is too few.
    let bits = UInt128.bitWidth - (digits | 1).leadingZeroBitCount
    let least = bits * 1233 / 4096
    return least < powers.count && digits >= powers[least] ? least + 1 : max(1, least)
  }
}

extension DecimalNumber {
  /// The number as an integer; nil for a fraction, and beyond 64 bits.
  package var whole: Int64? {
    Self.whole(isNegative: isNegative, digits: UInt128(digits), exponent: exponent)
  }

  /// The nearest Double.
  package var double: Double { Double("\(isNegative ? "-" : "")\(digits)e\(exponent)") ?? 0 }

  /// The same number of Foundation's.
  package var decimal: Decimal {
    // Digits that a larger exponent is short of are read.
    if exponent > Self.exponents.upperBound { return Decimal(string: description) ?? .nan }
    let sign: FloatingPointSign = isNegative ? .minus : .plus
    return Decimal(sign: sign, exponent: exponent, significand: Decimal(digits))
  }

  /// The place of the first digit: how many stand before the point, or minus the zeros behind it.
  package var magnitude: Int { Self.count(UInt128(digits)) + exponent }
}

extension DecimalNumber: Comparable {
  @inlinable
  package static func == (a: DecimalNumber, b: DecimalNumber) -> Bool {
    a.digits == b.digits && a.exponent == b.exponent && a.isNegative == b.isNegative
  }

  @inlinable
  package static func < (a: DecimalNumber, b: DecimalNumber) -> Bool {
    if a.isNegative != b.isNegative { return a.isNegative }
    return a.isNegative ? isNearer(b, a) : isNearer(a, b)
  }

  /// Whether a number is nearer to zero than another one.
  @inlinable
  static func isNearer(_ a: DecimalNumber, _ b: DecimalNumber) -> Bool {
    if a.digits == 0 || b.digits == 0 { return a.digits == 0 && b.digits != 0 }
    if a.exponent == b.exponent { return a.digits < b.digits }
    return startsNearer(a, b)
  }

  /// The same for numbers other than zero that end at different places.
  @usableFromInline
  static func startsNearer(_ a: DecimalNumber, _ b: DecimalNumber) -> Bool {
    let (first, second) = (a.magnitude, b.magnitude)
    if first != second { return first < second }
    // Beginning at the same place, they have as many more digits as their exponents differ by.
    return a.exponent > b.exponent
      ? UInt128(a.digits) * powers[a.exponent - b.exponent] < UInt128(b.digits)
      : UInt128(a.digits) < UInt128(b.digits) * powers[b.exponent - a.exponent]
  }
}

extension DecimalNumber: CustomStringConvertible {
  /// The number without an exponent, as `Decimal` writes it.
  @usableFromInline package var description: String {
    var text = "\(digits)"
    let point = text.utf8.count + exponent
    if exponent >= 0 {
      text += String(repeating: "0", count: exponent)
    } else if point > 0 {
      text = "\(text.prefix(point)).\(text.dropFirst(point))"
    } else {
      text = "0." + String(repeating: "0", count: -point) + text
    }
    return isNegative ? "-" + text : text
  }
}

// Each result is the exact one, rounded once; nil where no Decimal is so large or so small.
extension DecimalNumber {
  /// The number without its sign, rounded where that is no integer of 64 bits.
  package var absolute: DecimalNumber? {
    DecimalNumber(isNegative: false, UInt128(digits), exponent: exponent)
  }

  /// The greatest whole number that is not above the number.
  package var floor: DecimalNumber? {
    if exponent >= 0 { return self }
    let power = Self.powers.indices.contains(-exponent) ? Self.powers[-exponent] : .max
    let (whole, rest) = UInt128(digits).quotientAndRemainder(dividingBy: power)
    return DecimalNumber(
      isNegative: isNegative, isNegative && rest != 0 ? whole + 1 : whole, exponent: 0)
  }

  package func adding(_ other: DecimalNumber) -> DecimalNumber? {
    adding(other, isNegative: other.isNegative)
  }

  package func subtracting(_ other: DecimalNumber) -> DecimalNumber? {
    adding(other, isNegative: !other.isNegative)
  }

  /// Adds a number whose sign is given: the smallest integer has no counterpart that is kept.
  private func adding(_ other: DecimalNumber, isNegative otherIsNegative: Bool) -> DecimalNumber? {
    typealias Part = (digits: UInt128, exponent: Int, isNegative: Bool)
    let own: Part = (UInt128(digits), exponent, isNegative)
    let its: Part = (UInt128(other.digits), other.exponent, otherIsNegative)
    let (high, low) = own.exponent >= its.exponent ? (own, its) : (its, own)
    if low.digits == 0 || high.digits == 0 {
      let one = low.digits == 0 ? high : low
      return DecimalNumber(isNegative: one.isNegative, one.digits, exponent: one.exponent)
    }
    let gap = high.exponent - low.exponent
    // As many zeros behind the one as there is room for; the rest of the gap cuts the other one short.
    let zeros = min(gap, 37 - Self.count(high.digits))
    let large = high.digits * Self.powers[zeros]
    let lost = gap - zeros
    let (small, rest) =
      lost < Self.powers.count
      ? low.digits.quotientAndRemainder(dividingBy: Self.powers[lost]) : (0, 1)
    let exponent = high.exponent - zeros
    if high.isNegative == low.isNegative {
      return DecimalNumber(
        isNegative: high.isNegative, large + small, exponent: exponent, hasRest: rest != 0)
    }
    if rest != 0 {
      return DecimalNumber(
        isNegative: high.isNegative, large - small - 1, exponent: exponent, hasRest: true)
    }
    return large >= small
      ? DecimalNumber(isNegative: high.isNegative, large - small, exponent: exponent)
      : DecimalNumber(isNegative: low.isNegative, small - large, exponent: exponent)
  }

  package func multiplied(by other: DecimalNumber) -> DecimalNumber? {
    DecimalNumber(
      isNegative: isNegative != other.isNegative, UInt128(digits) * UInt128(other.digits),
      exponent: exponent + other.exponent)
  }

  /// Nil where the divisor is 0.
  package func divided(by other: DecimalNumber) -> DecimalNumber? {
    if other.digits == 0 { return nil }
    let divisor = UInt128(other.digits)
    var exponent = exponent - other.exponent
    var (quotient, rest) = UInt128(digits).quotientAndRemainder(dividingBy: divisor)
    while rest != 0, quotient < Self.powers[19] {
      let (next, left) = (rest * Self.powers[18]).quotientAndRemainder(dividingBy: divisor)
      (quotient, rest) = (quotient * Self.powers[18] + next, left)
      exponent -= 18
    }
    return DecimalNumber(
      isNegative: isNegative != other.isNegative, quotient, exponent: exponent, hasRest: rest != 0)
  }
}

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
  package static func isSpelt(_ text: String) -> Bool {
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
