package import Foundation

/// An attribute's rule in a form that rows are tested with.
package struct RuleTest: Sendable {
  /// The attribute's index.
  package let index: Int
  package let limit: Limit

  package enum Limit: Sendable {
    case integers(ClosedRange<Int64>)
    /// Nanoseconds.
    case durations(ClosedRange<Int64>)
    case reals(ClosedRange<Double>)
    /// Seconds since 2001.
    case dates(ClosedRange<Double>)
    case decimals(least: DecimalNumber?, most: DecimalNumber?)
    /// UTF-16 units.
    case length(ClosedRange<Int>)
    case pattern(PatternMatcher)
    case check(RuleCheck)
  }

  /// What is wrong with a row's value; nil where it keeps the rule, or is nil.
  package func failure(in row: RowPointer) -> RuleFailure? {
    if row.isNull(index) { return nil }
    switch limit {
    case .integers(let range):
      return Self.compare(row.slot(index), range) {
        .tooSmall("\($0)")
      } _: {
        .tooLarge("\($0)")
      }
    case .durations(let range):
      return Self.compare(row.slot(index), range) {
        .tooSmall("\(Duration.nanoseconds($0))")
      } _: {
        .tooLarge("\(Duration.nanoseconds($0))")
      }
    case .reals(let range):
      return Self.compare(row.real(index), range) {
        .tooSmall("\($0)")
      } _: {
        .tooLarge("\($0)")
      }
    case .dates(let range):
      return Self.compare(row.real(index), range) {
        .tooSoon($0)
      } _: {
        .tooLate($0)
      }
    case .decimals(let least, let most):
      guard let value = row.decimal(index) else { return nil }
      if let least, value < least { return .tooSmall("\(least)") }
      if let most, value > most { return .tooLarge("\(most)") }
      return nil
    case .length(let range): return Self.length(of: row.bytes(index), in: range)
    case .pattern(let matcher):
      let text = String(decoding: row.bytes(index), as: UTF8.self)
      return matcher.matches(text) ? nil : .noMatch(matcher.pattern)
    case .check(let check):
      let holds = check.holds(row.slot(index), UnsafePointer(row.words))
      return holds ? nil : .other(check.sentence)
    }
  }

  @inline(__always)
  private static func compare<Number: Comparable>(
    _ value: Number, _ range: ClosedRange<Number>, _ tooSmall: (Number) -> RuleFailure,
    _ tooLarge: (Number) -> RuleFailure
  ) -> RuleFailure? {
    // In this way NaN, of which others tell, is neither.
    if value < range.lowerBound { return tooSmall(range.lowerBound) }
    return value > range.upperBound ? tooLarge(range.upperBound) : nil
  }

  private static func length(
    of bytes: UnsafeRawBufferPointer, in range: ClosedRange<Int>
  ) -> RuleFailure? {
    // A unit takes one to three bytes.
    if bytes.count <= range.upperBound, bytes.count / 3 >= range.lowerBound { return nil }
    var length = 0
    for byte in bytes {
      // One for each byte that begins a scalar, two where it takes four bytes.
      if byte & 0xC0 != 0x80 { length += byte >= 0xF0 ? 2 : 1 }
    }
    if length < range.lowerBound { return .tooShort(range.lowerBound) }
    return length > range.upperBound ? .tooLong(range.upperBound) : nil
  }
}

/// What is wrong with a value, with the bound that it breaks.
package enum RuleFailure: Sendable, Hashable {
  case tooSmall(String)
  case tooLarge(String)
  case tooSoon(TimeInterval)
  case tooLate(TimeInterval)
  case tooShort(Int)
  case tooLong(Int)
  case noMatch(String)
  /// What the program says of it.
  case other(String)
}
