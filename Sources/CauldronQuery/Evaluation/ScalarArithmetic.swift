package import CauldronModel
import Foundation

/// What operations and functions make of values: SQLite's rules, so that SQL and memory agree
/// (https://www.sqlite.org/lang_expr.html).
package enum ScalarArithmetic {
  package static func result(
    _ operation: QueryExpression.Arithmetic, _ a: AttributeScalar, _ b: AttributeScalar
  ) -> AttributeScalar {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): return whole(operation, of: a, and: b)
    case (.integer(let a), .real(let b)): return real(operation, of: Double(a), and: b)
    case (.real(let a), .integer(let b)): return real(operation, of: a, and: Double(b))
    case (.real(let a), .real(let b)): return real(operation, of: a, and: b)
    default: return .null
    }
  }

  private static func whole(
    _ operation: QueryExpression.Arithmetic, of a: Int64, and b: Int64
  ) -> AttributeScalar {
    let (value, isBeyond): (Int64, Bool)
    switch operation {
    case .add: (value, isBeyond) = a.addingReportingOverflow(b)
    case .subtract: (value, isBeyond) = a.subtractingReportingOverflow(b)
    case .multiply: (value, isBeyond) = a.multipliedReportingOverflow(by: b)
    case .divide:
      if b == 0 { return .null }
      (value, isBeyond) = a.dividedReportingOverflow(by: b)
    case .remainder:
      if b == 0 { return .null }
      return .integer(b == -1 ? 0 : a % b)
    case .bitAnd: return .integer(a & b)
    case .bitOr: return .integer(a | b)
    case .bitXor: return .integer(a ^ b)
    }
    return isBeyond ? real(operation, of: Double(a), and: Double(b)) : .integer(value)
  }

  private static func real(
    _ operation: QueryExpression.Arithmetic, of a: Double, and b: Double
  ) -> AttributeScalar {
    let value: Double
    switch operation {
    case .add: value = a + b
    case .subtract: value = a - b
    case .multiply: value = a * b
    case .divide:
      if b == 0 { return .null }
      value = a / b
    // Bound to integers; those of reals that come of large integers have none.
    case .remainder, .bitAnd, .bitOr, .bitXor: return .null
    }
    return value.isNaN ? .null : .real(value)
  }

  /// What a function makes of a value; SQL calls it, too.
  package static func result(
    _ function: QueryExpression.Function, of value: AttributeScalar
  ) -> AttributeScalar {
    switch (function, value) {
    case (.absolute, .integer(let number)):
      return number == .min ? .real(0x1p63) : .integer(abs(number))
    case (.absolute, .real(let number)): return .real(abs(number))
    case (.floor, .integer): return value
    case (.floor, .real(let number)): return .real(number.rounded(.down))
    case (.lowercase, .text(let text)): return .text(text.lowercased())
    case (.uppercase, .text(let text)): return .text(text.uppercased())
    case (.length, .text(let text)): return .integer(Int64(text.utf16.count))
    // Each is named, so that the compiler reports one that is forgotten above.
    case (.absolute, _), (.floor, _), (.lowercase, _), (.uppercase, _), (.length, _): return .null
    }
  }
}

/// Arithmetic of decimals: each result is rounded as a column keeps it, so that SQL and memory
/// agree, and stored and calculated numbers compare as equal.
package enum DecimalArithmetic {
  /// The result of an operation; nil where one is no number, where the divisor is 0, and for what no
  /// Decimal can be.
  package static func result(
    _ operation: QueryExpression.Arithmetic, _ a: AttributeScalar, _ b: AttributeScalar
  ) -> AttributeScalar {
    guard let a = number(a), let b = number(b) else { return .null }
    return scalar(calculated(operation, of: a, and: b))
  }

  private static func calculated(
    _ operation: QueryExpression.Arithmetic, of a: DecimalNumber, and b: DecimalNumber
  ) -> DecimalNumber? {
    switch operation {
    case .add: a.adding(b)
    case .subtract: a.subtracting(b)
    case .multiply: a.multiplied(by: b)
    case .divide: a.divided(by: b)
    case .remainder, .bitAnd, .bitOr, .bitXor: nil
    }
  }

  /// What a function makes of a value; SQL calls it, too.
  package static func result(
    _ function: QueryExpression.Function, of value: AttributeScalar
  ) -> AttributeScalar {
    guard let number = number(value) else { return .null }
    switch function {
    case .absolute: return scalar(number.absolute)
    case .floor: return scalar(number.floor)
    // Bound to texts.
    case .lowercase, .uppercase, .length: return .null
    }
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
