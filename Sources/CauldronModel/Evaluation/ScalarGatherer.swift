import Foundation

/// Gathers values one by one into a count, a sum, a minimum, a maximum or an average.
package struct ScalarGatherer {
  private let aggregate: QueryExpression.Aggregate
  private let isDecimal: Bool
  private var count = 0
  private var whole: Int128 = 0
  private var real = ExactSum()
  private var digits = DecimalSum()
  private var hasReal = false
  private var best: AttributeScalar = .null

  /// - Parameter isDecimal: Whether the numbers are written out, and the sum is.
  package init(_ aggregate: QueryExpression.Aggregate, isDecimal: Bool = false) {
    self.aggregate = aggregate
    self.isDecimal = isDecimal
  }

  /// Adds a value; nil is left out.
  package mutating func add(_ value: AttributeScalar) {
    if value.isNull { return }
    count += 1
    switch aggregate {
    case .count: break
    case .sum where isDecimal, .average where isDecimal: addDecimal(value)
    case .sum, .average: addNumber(value)
    case .minimum, .maximum:
      let order = best.isNull ? 0 : ScalarOrder.order(value, best, isDecimal: isDecimal)
      if best.isNull || (aggregate == .minimum ? order < 0 : order > 0) { best = value }
    }
  }

  private mutating func addDecimal(_ value: AttributeScalar) {
    if let number = DecimalArithmetic.number(value) {
      digits.add(number)
    } else {
      count -= 1
    }
  }

  private mutating func addNumber(_ value: AttributeScalar) {
    switch value {
    case .integer(let number): whole += Int128(number)
    case .real(let number):
      hasReal = true
      real.add(number)
    case .null, .text, .blob: break
    }
  }

  /// What was gathered.
  /// - Throws: `query.overflow` for a sum of integers that is beyond 64 bits.
  package func result() throws -> AttributeScalar {
    switch aggregate {
    case .count: return .integer(Int64(count))
    case .minimum, .maximum: return best
    case .sum where isDecimal: return DecimalArithmetic.scalar(digits.number)
    case .average where isDecimal:
      return count == 0 ? .null : Self.real(digits.double / Double(count))
    case .sum where !hasReal:
      guard let sum = Int64(exactly: whole) else { throw CauldronError.overflow }
      return .integer(sum)
    case .sum: return Self.real(total)
    case .average: return count == 0 ? .null : Self.real(total / Double(count))
    }
  }

  /// Integers among reals, as some expressions give both, are added exactly, too.
  private var total: Double {
    guard hasReal else { return Double(whole) }
    var sum = real
    // Three parts, each of which a Double holds exactly.
    sum.add(Double(whole >> 80) * 0x1p80)
    sum.add(Double((whole >> 40) & 0xFF_FFFF_FFFF) * 0x1p40)
    sum.add(Double(whole & 0xFF_FFFF_FFFF))
    return sum.result
  }

  private static func real(_ value: Double) -> AttributeScalar {
    value.isNaN ? .null : .real(value)
  }
}
