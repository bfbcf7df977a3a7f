package import CauldronModel
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

/// A sum of real numbers that is rounded once, at its end, so that their order makes no difference.
///
/// It keeps what rounding leaves over in further numbers (J. R. Shewchuk, "Adaptive Precision
/// Floating-Point Arithmetic", 1997).
package struct ExactSum {
  /// Numbers that do not overlap, the smallest one first.
  private var parts: [Double] = []
  /// The same of very large numbers, divided by `scale`, so that no partial sum is infinite.
  private var large: [Double] = []
  /// The sum of what is not finite.
  private var infinite = 0.0

  private static let limit = 0x1p960
  private static let scale = 0x1p200

  package init() {}

  /// Adds a number.
  package mutating func add(_ number: Double) {
    guard number.isFinite else {
      infinite += number
      return
    }
    if abs(number) < Self.limit {
      Self.add(number, to: &parts)
    } else {
      Self.add(number / Self.scale, to: &large)
    }
  }

  /// The sum; NaN where both infinities are in it.
  package var result: Double {
    if infinite != 0 || infinite.isNaN { return infinite }
    if large.isEmpty { return Self.rounded(parts) }
    var all = large
    for part in parts { Self.add(part / Self.scale, to: &all) }
    if all.allSatisfy({ abs($0) < Self.limit / Self.scale }) {
      // What was large has gone; the rest is to be summed without loss.
      var rest = parts
      for part in large { Self.add(part * Self.scale, to: &rest) }
      return Self.rounded(rest)
    }
    return Self.rounded(all) * Self.scale
  }

  private static func add(_ number: Double, to parts: inout [Double]) {
    var rest = number
    var count = 0
    for part in parts {
      let (large, small) = abs(rest) < abs(part) ? (part, rest) : (rest, part)
      let sum = large + small
      let lost = small - (sum - large)
      if lost != 0 {
        parts[count] = lost
        count += 1
      }
      rest = sum
    }
    parts.removeSubrange(count...)
    if rest != 0 { parts.append(rest) }
  }

  private static func rounded(_ parts: [Double]) -> Double {
    var rest = parts[...]
    guard var sum = rest.popLast() else { return 0 }
    var lost = 0.0
    while let next = rest.popLast() {
      let before = sum
      sum = before + next
      lost = next - (sum - before)
      if lost != 0 { break }
    }
    // Half way between two numbers the rest decides.
    if let next = rest.last, (lost < 0) == (next < 0), lost != 0 {
      let twice = lost * 2
      let other = sum + twice
      if twice == other - sum { sum = other }
    }
    return sum
  }
}
