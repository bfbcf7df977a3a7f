import Foundation

/// What is calculated with decimals: each result is rounded as a column keeps it, so that SQL and memory
/// agree, and so that what is stored and what is calculated compare as equal.
package enum DecimalArithmetic {
  /// The result of an operation; nil where one is no number, where the divisor is 0, and for what no
  /// Decimal can be.
  package static func result(
    _ operation: QueryExpression.Arithmetic, _ a: AttributeScalar, _ b: AttributeScalar
  ) -> AttributeScalar {
    guard var a = number(a), var b = number(b) else { return .null }
    var value = Decimal()
    let error: Decimal.CalculationError
    switch operation {
    case .add: error = NSDecimalAdd(&value, &a, &b, .bankers)
    case .subtract: error = NSDecimalSubtract(&value, &a, &b, .bankers)
    case .multiply: error = NSDecimalMultiply(&value, &a, &b, .bankers)
    case .divide where !b.isZero: error = NSDecimalDivide(&value, &a, &b, .bankers)
    case .divide, .remainder: return .null
    }
    return error == .noError || error == .lossOfPrecision ? scalar(value) : .null
  }

  /// A number without its sign.
  package static func absolute(_ value: AttributeScalar) -> AttributeScalar {
    number(value).map { scalar(abs($0)) } ?? .null
  }

  /// A number as a column keeps it; nil for none.
  static func scalar(_ value: Decimal) -> AttributeScalar {
    value.isNaN ? .null : .text(value.kept.description)
  }

  /// The number that a value is.
  static func number(_ scalar: AttributeScalar) -> Decimal? {
    switch scalar {
    case .integer(let value): Decimal(value)
    case .text(let text): Decimal.number(text)
    // What was calculated of integers and is beyond 64 bits.
    case .real(let value): Decimal.number(String(format: "%.15g", value))
    case .null, .blob: nil
    }
  }
}

/// A sum of decimals that does not depend on their order: those with equally many digits behind the
/// point are added exactly, and what they give in one order, to 38 digits.
package struct DecimalSum {
  private var units: [Int: Int128] = [:]

  /// Adds a number that a column holds, of 19 digits at most.
  mutating func add(_ value: Decimal) {
    var value = value
    NSDecimalCompact(&value)
    guard let digits = Int128(value.significand.description) else { return }
    units[value.exponent, default: 0] += value.isSignMinus ? -digits : digits
  }

  /// The sum; NaN where no Decimal is so large.
  var result: Decimal {
    units.sorted { $0.key > $1.key }.reduce(into: Decimal(0)) { sum, unit in
      let digits = Decimal(string: unit.value.magnitude.description) ?? .nan
      let sign: FloatingPointSign = unit.value < 0 ? .minus : .plus
      sum += Decimal(sign: sign, exponent: unit.key, significand: digits)
    }
  }
}
