import Foundation

/// What is calculated with decimals: each result is rounded as a column keeps it, so that SQL and memory
/// agree, and so that what is stored and what is calculated compare as equal.
package enum DecimalArithmetic {
  /// The result of an operation; nil where one is no number, where the divisor is 0, and for what no
  /// Decimal can be.
  package static func result(
    _ operation: QueryExpression.Arithmetic, _ a: AttributeScalar, _ b: AttributeScalar
  ) -> AttributeScalar {
    guard let a = number(a), let b = number(b) else { return .null }
    return scalar(calculated(operation, a, b))
  }

  private static func calculated(
    _ operation: QueryExpression.Arithmetic, _ a: DecimalNumber, _ b: DecimalNumber
  ) -> DecimalNumber? {
    switch operation {
    case .add: a.adding(b)
    case .subtract: a.subtracting(b)
    case .multiply: a.multiplied(by: b)
    case .divide: a.divided(by: b)
    case .remainder: nil
    }
  }

  /// A number without its sign.
  package static func absolute(_ value: AttributeScalar) -> AttributeScalar {
    scalar(number(value)?.absolute)
  }

  /// A number as a column keeps it; nil for none.
  static func scalar(_ value: DecimalNumber?) -> AttributeScalar {
    value.map { .text($0.description) } ?? .null
  }

  /// The number that a value is.
  static func number(_ scalar: AttributeScalar) -> DecimalNumber? {
    switch scalar {
    case .integer(let value): DecimalNumber(value)
    case .text(let text): DecimalNumber(text)
    // What was calculated of integers and is beyond 64 bits.
    case .real(let value): DecimalNumber(String(format: "%.15g", value))
    case .null, .blob: nil
    }
  }
}
