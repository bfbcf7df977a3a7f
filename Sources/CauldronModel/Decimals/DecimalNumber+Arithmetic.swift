// Each result is the exact one, rounded once; nil where no Decimal is so large or so small.
extension DecimalNumber {
  /// The number without its sign, rounded where that is no integer of 64 bits.
  var absolute: DecimalNumber? {
    DecimalNumber(isNegative: false, UInt128(digits), exponent: exponent)
  }

  func adding(_ other: DecimalNumber) -> DecimalNumber? {
    adding(other, isNegative: other.isNegative)
  }

  func subtracting(_ other: DecimalNumber) -> DecimalNumber? {
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

  func multiplied(by other: DecimalNumber) -> DecimalNumber? {
    DecimalNumber(
      isNegative: isNegative != other.isNegative, UInt128(digits) * UInt128(other.digits),
      exponent: exponent + other.exponent)
  }

  /// Nil where the divisor is 0.
  func divided(by other: DecimalNumber) -> DecimalNumber? {
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
