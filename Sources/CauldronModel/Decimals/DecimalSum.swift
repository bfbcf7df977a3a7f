/// A sum of decimals that is exact, so that it does not depend on their order, and is rounded once.
package struct DecimalSum {
  /// Nine digits each, the last of the first ones being that of 10^-128; empty where all were zero.
  private var limbs: [Int128] = []

  private static let base: UInt128 = 1_000_000_000
  private static let width = 9
  /// Room for the largest Decimal as often as anything can be counted.
  private static let count = 40
  private static let lowest = DecimalNumber.exponents.lowerBound

  package init() {}

  package mutating func add(_ value: DecimalNumber) {
    if value.digits == 0 { return }
    if limbs.isEmpty { limbs = Array(repeating: 0, count: Self.count) }
    let place = value.exponent - Self.lowest
    var rest = UInt128(value.digits) * DecimalNumber.powers[place % Self.width]
    var index = place / Self.width
    while rest > 0 {
      let part = Int128(rest % Self.base)
      limbs[index] += value.isNegative ? -part : part
      rest /= Self.base
      index += 1
    }
  }

  /// The sum; nil where no Decimal is so large.
  package var number: DecimalNumber? {
    let sum = leading
    return DecimalNumber(
      isNegative: sum.isNegative, sum.digits, exponent: sum.exponent, hasRest: sum.hasRest)
  }

  /// The sum as a Double, whether there is such a Decimal or not.
  package var double: Double {
    let sum = leading
    return Double("\(sum.isNegative ? "-" : "")\(sum.digits)e\(sum.exponent)") ?? 0
  }

  /// The first digits of the sum, 28 at least, and whether there are more.
  private var leading: (isNegative: Bool, digits: UInt128, exponent: Int, hasRest: Bool) {
    var (parts, isNegative) = Self.carried(limbs)
    if isNegative { parts = Self.carried(limbs.map { -$0 }).parts }
    guard let top = parts.lastIndex(where: { $0 != 0 }) else { return (false, 0, 0, false) }
    let last = max(0, top - 3)
    let digits = parts[last...top].reversed().reduce(UInt128(0)) { $0 * Self.base + UInt128($1) }
    let hasRest = parts[..<last].contains { $0 != 0 }
    return (isNegative, digits, last * Self.width + Self.lowest, hasRest)
  }

  /// Each part with nine digits; and whether the whole is negative, when they are none of it.
  private static func carried(_ limbs: [Int128]) -> (parts: [Int128], isNegative: Bool) {
    var carry: Int128 = 0
    let base = Int128(base)
    let parts = limbs.map { limb in
      let total = limb + carry
      let part = ((total % base) + base) % base
      carry = (total - part) / base
      return part
    }
    return (parts, carry < 0)
  }
}
