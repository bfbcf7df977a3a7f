package import Foundation
import _StringProcessing

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
      return Self.compare(row.slot(index), with: range) {
        .tooSmall("\($0)")
      } tooLarge: {
        .tooLarge("\($0)")
      }
    case .durations(let range):
      return Self.compare(row.slot(index), with: range) {
        .tooSmall("\(Duration.nanoseconds($0))")
      } tooLarge: {
        .tooLarge("\(Duration.nanoseconds($0))")
      }
    case .reals(let range):
      return Self.compare(row.real(index), with: range) {
        .tooSmall("\($0)")
      } tooLarge: {
        .tooLarge("\($0)")
      }
    case .dates(let range):
      return Self.compare(row.real(index), with: range) {
        .tooSoon($0)
      } tooLarge: {
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
    _ value: Number, with range: ClosedRange<Number>, tooSmall: (Number) -> RuleFailure,
    tooLarge: (Number) -> RuleFailure
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

/// Why an attribute cannot have a rule.
struct RuleMisfit: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

extension RuleTest {
  /// - Throws: Why the attribute cannot have the rule.
  init(_ rule: AttributeRule, of attribute: AttributeDescription, at index: Int) throws(RuleMisfit)
  {
    if attribute.isTransient {
      throw RuleMisfit("a transient attribute has no rules; look at it in validate(_:for:)")
    }
    self.index = index
    switch rule.kind {
    case .length(let least, let most):
      guard attribute.type == .string else {
        throw Self.needs("a length", type: "String", in: attribute)
      }
      guard most >= max(0, least) else {
        throw RuleMisfit("no text has a length from \(least) to \(most)")
      }
      limit = .length(max(0, least)...most)
    case .range(let least, let most, let bound):
      limit = try Self.range(least: least, most: most, of: bound, for: attribute)
    case .pattern(let pattern):
      guard attribute.type == .string else {
        throw Self.needs("a pattern", type: "String", in: attribute)
      }
      do {
        limit = .pattern(try PatternMatcher(pattern))
      } catch {
        throw RuleMisfit("\"\(pattern)\" is no regular expression: \(error)")
      }
    case .check(let check):
      guard check.unstorable == attribute.unstorable, Self.takes(check.type, from: attribute.type)
      else {
        let asked = Self.name(of: check.type, unstorable: check.unstorable)
        let type = Self.name(of: attribute.type, unstorable: attribute.unstorable)
        throw RuleMisfit("a check takes \(asked), but its type is \(type)")
      }
      limit = .check(check)
    }
  }

  /// A type as the program knows it: durations are kept as integers, but for what these cannot keep.
  private static func name(of type: AttributeType, unstorable: _Unstorable?) -> String {
    unstorable == nil ? type.displayName : "Duration"
  }

  /// Whether values of one type can be read as those of another, none of them changed.
  private static func takes(_ asked: AttributeType, from type: AttributeType) -> Bool {
    if asked == type || (asked == .double && type == .float) { return true }
    guard asked.storage.form == .integer, type.storage.form == .integer,
      let wide = asked.integerRange, let narrow = type.integerRange
    else { return false }
    return wide.lowerBound <= narrow.lowerBound && narrow.upperBound <= wide.upperBound
  }

  private static func needs(
    _ what: String, type wanted: String, in attribute: AttributeDescription
  ) -> RuleMisfit {
    RuleMisfit("\(what) needs the type \(wanted), but its type is \(attribute.type.displayName)")
  }

  private static func range(
    least: AttributeScalar, most: AttributeScalar, of bound: AttributeRule.BoundType,
    for attribute: AttributeDescription
  ) throws(RuleMisfit) -> Limit {
    let isInteger = bound.type.storage.form == .integer && bound.unstorable == nil
    let isReal = bound.type == .double || bound.type == .float
    switch attribute.type {
    case .integer16, .integer32, .integer64:
      if let unstorable = attribute.unstorable {
        guard bound.unstorable == unstorable else { throw misfit(of: bound, for: "Duration") }
        return .durations(
          try closed(least: least.integer, most: most.integer, first: .min, last: .max))
      }
      guard isInteger else { throw misfit(of: bound, for: attribute.type.displayName) }
      return .integers(try integers(least: least.integer, most: most.integer, of: attribute.type))
    case .double where isInteger || isReal:
      return .reals(
        try closed(least: least.number, most: most.number, first: -.infinity, last: .infinity))
    case .float where isInteger || isReal:
      // A property has the nearest Float of a value, which may lie beyond the number as written.
      let bounds = [least, most].map { $0.number.map { Double(Float($0)) } }
      return .reals(
        try closed(least: bounds[0], most: bounds[1], first: -.infinity, last: .infinity))
    case .decimal where isInteger || isReal || bound.type == .decimal:
      for case .real(let value) in [least, most] where value.magnitude < 1 && value != 0 {
        guard DecimalNumber("\(value)") != nil else {
          throw RuleMisfit("no Decimal is as small as \(value)")
        }
      }
      let (least, most) = (least.decimal, most.decimal)
      if let least, let most, least > most { throw RuleMisfit("its range is empty") }
      return .decimals(least: least, most: most)
    case .date where bound.type == .date:
      return .dates(
        try closed(least: least.number, most: most.number, first: -.infinity, last: .infinity))
    case .double, .float, .decimal, .date: throw misfit(of: bound, for: attribute.type.displayName)
    case .string, .boolean, .binary, .uuid, .uri, .transformable, .composite, .undefined:
      throw needs("a range", type: "of a number, a date or a duration", in: attribute)
    }
  }

  private static func misfit(of bound: AttributeRule.BoundType, for type: String) -> RuleMisfit {
    let bounds = name(of: bound.type, unstorable: bound.unstorable)
    return RuleMisfit("its range is of \(bounds), but its type is \(type)")
  }

  private static func integers(
    least: Int64?, most: Int64?, of type: AttributeType
  ) throws(RuleMisfit) -> ClosedRange<Int64> {
    let range = try closed(least: least, most: most, first: Int64.min, last: Int64.max)
    if let all = type.integerRange, !range.overlaps(all) {
      throw RuleMisfit("no \(type.displayName) is in its range")
    }
    return range
  }

  private static func closed<Number: Comparable>(
    least: Number?, most: Number?, first: Number, last: Number
  ) throws(RuleMisfit) -> ClosedRange<Number> {
    let (least, most) = (least ?? first, most ?? last)
    guard least <= most else { throw RuleMisfit("its range is empty") }
    return least...most
  }
}

extension AttributeScalar {
  fileprivate var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .null, .text, .blob: nil
    }
  }

  /// The number as it is written, which is what a decimal is.
  fileprivate var decimal: DecimalNumber? {
    switch self {
    case .integer(let value): DecimalNumber(value)
    case .real(let value): DecimalNumber("\(value)")
    case .text(let text): DecimalNumber(text)
    case .null, .blob: nil
    }
  }
}

extension RuleTest {
  /// The tests of a property's rules, without those that it cannot have: the model is refused then.
  ///
  /// Lengths come first: a pattern may take long for a text that is too long.
  static func tests(of property: PropertyLayout) -> [RuleTest] {
    guard case .attribute(let attribute) = property.description else { return [] }
    let tests = attribute.rules.compactMap {
      try? RuleTest($0, of: attribute, at: property.index)
    }
    return tests.filter(\.limit.isLength) + tests.filter { !$0.limit.isLength }
  }

  /// Why an attribute cannot have its rules, each by itself or together.
  static func misfits(of attribute: AttributeDescription) -> [String] {
    var misfits: [String] = []
    var tests: [RuleTest] = []
    for rule in attribute.rules {
      do throws(RuleMisfit) {
        tests.append(try RuleTest(rule, of: attribute, at: 0))
      } catch {
        misfits.append(error.text)
      }
    }
    for (index, test) in tests.enumerated()
    where tests[..<index].contains(where: { $0.limit.excludes(test.limit) }) {
      misfits.append("no value keeps all of its rules")
      break
    }
    return misfits
  }
}

extension RuleTest.Limit {
  fileprivate var isLength: Bool { if case .length = self { true } else { false } }

  /// Whether no value can keep both.
  fileprivate func excludes(_ other: RuleTest.Limit) -> Bool {
    switch (self, other) {
    case (.integers(let a), .integers(let b)), (.durations(let a), .durations(let b)):
      !a.overlaps(b)
    case (.reals(let a), .reals(let b)), (.dates(let a), .dates(let b)): !a.overlaps(b)
    case (.length(let a), .length(let b)): !a.overlaps(b)
    case (.decimals(let least, let most), .decimals(let otherLeast, let otherMost)):
      Self.isLess(most, than: otherLeast) || Self.isLess(otherMost, than: least)
    default: false
    }
  }

  private static func isLess(_ most: DecimalNumber?, than least: DecimalNumber?) -> Bool {
    guard let most, let least else { return false }
    return most < least
  }
}

/// Tells whether texts match a regular expression as a whole.
///
/// The expression is compiled once. Only one thread may use it: another one that asks at the same
/// moment compiles it once more, and does not wait.
package final class PatternMatcher: Sendable {
  package let pattern: String
  private let idle: Locked<[Compiled]>

  /// What may be handed from thread to thread, but never be shared.
  private struct Compiled: @unchecked Sendable {
    let regex: Regex<AnyRegexOutput>

    init(_ pattern: String) throws {
      // As Core Data has it, which compares no characters that consist of several scalars.
      regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
    }
  }

  /// - Throws: What is wrong with the pattern.
  package init(_ pattern: String) throws {
    self.pattern = pattern
    idle = Locked([try Compiled(pattern)])
  }

  /// Whether the whole text matches.
  package func matches(_ text: String) -> Bool {
    guard let compiled = idle.withLock({ $0.popLast() }) ?? (try? Compiled(pattern)) else {
      return false
    }
    defer { idle.withLock { $0.append(compiled) } }
    // Matching throws only where the expression's own Swift code does, of which there is none.
    return (try? compiled.regex.wholeMatch(in: text)) != nil
  }
}
