public import CauldronGraph
public import CauldronModel
public import CauldronQuery
public import Foundation

/// A value in a condition, an order or a selection: an attribute, or what is made of some.
///
/// ```swift
/// { $0.price * $0.count > 100 && $0.name.contains("jö", .ignoringCaseAndDiacritics) }
/// ```
/// Each comparison with nil is false, except `== nil` and `!= value`.
public struct QueryValue<Root: ManagedEntity, Value: AttributeValue>: Sendable {
  /// The value as a tree.
  public let expression: QueryExpression

  init(_ expression: QueryExpression) { self.expression = expression }

  /// Holds where the value is equal; with nil, where there is none.
  public static func == (a: QueryValue, b: Value?) -> Where<Root> { a.compare(.equal, to: b) }

  /// Holds where the value is another one, or none; with nil, where there is any.
  public static func != (a: QueryValue, b: Value?) -> Where<Root> { a.compare(.notEqual, to: b) }

  /// Holds where the value is one of several.
  public func isIn(_ values: some Sequence<Value>) -> Where<Root> {
    Where(.isIn(expression, values.map(\.scalar), []))
  }

  /// Holds where the value lies in a range, its ends included.
  public func isIn(_ range: ClosedRange<Value>) -> Where<Root> where Value: Comparable {
    isBetween(range.lowerBound, range.upperBound)
  }

  /// Holds where the value lies in a range, its upper end excluded.
  public func isIn(_ range: Range<Value>) -> Where<Root> where Value: Comparable {
    compare(.greaterOrEqual, to: range.lowerBound) && compare(.less, to: range.upperBound)
  }

  func compare(_ comparison: PredicateNode.ComparisonOperator, to b: Value?) -> Where<Root> {
    Where(.comparison(expression, comparison, .value(b.map(\.scalar) ?? .null), []))
  }
}

extension QueryValue where Value: Comparable {
  /// Holds where the value is less.
  public static func < (a: QueryValue, b: Value) -> Where<Root> { a.compare(.less, to: b) }

  /// Holds where the value is at most another one.
  public static func <= (a: QueryValue, b: Value) -> Where<Root> { a.compare(.lessOrEqual, to: b) }

  /// Holds where the value is greater.
  public static func > (a: QueryValue, b: Value) -> Where<Root> { a.compare(.greater, to: b) }

  /// Holds where the value is at least another one.
  public static func >= (a: QueryValue, b: Value) -> Where<Root> {
    a.compare(.greaterOrEqual, to: b)
  }

  /// Holds where the value lies between two others, or is one of them.
  public func isBetween(_ least: Value, _ most: Value) -> Where<Root> {
    Where(.between(expression, .value(least.scalar), .value(most.scalar)))
  }
}

extension QueryValue where Value == Bool {
  /// Whether the value is true: a condition by itself.
  public static prefix func ! (value: QueryValue) -> Where<Root> { !(value == true) }
}

// Two values can be compared if their types are compared alike: all numbers but decimals are compared
// with one another, exactly.

extension QueryValue {
  /// Holds where both values are equal, or both nil.
  public static func == <Other: AttributeValue>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> Where<Root> where Other._Comparand == Value._Comparand { compared(a, .equal, b) }

  /// Holds where the values differ; one may be nil.
  public static func != <Other: AttributeValue>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> Where<Root> where Other._Comparand == Value._Comparand { compared(a, .notEqual, b) }

  /// Holds where the value is equal; with nil, where there is none.
  public static func == (a: Value?, b: QueryValue) -> Where<Root> { b.compare(.equal, to: a) }

  /// Holds where the value is another one, or none; with nil, where there is any.
  public static func != (a: Value?, b: QueryValue) -> Where<Root> { b.compare(.notEqual, to: a) }
}

extension QueryValue where Value: Comparable {
  /// Holds where the first value is less.
  public static func < <Other: AttributeValue & Comparable>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> Where<Root> where Other._Comparand == Value._Comparand { compared(a, .less, b) }

  /// Holds where the first value is less.
  public static func < (a: Value, b: QueryValue) -> Where<Root> {
    b.compare(.greater, to: a)
  }

  /// Holds where the first value is at most the second one.
  public static func <= <Other: AttributeValue & Comparable>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> Where<Root> where Other._Comparand == Value._Comparand { compared(a, .lessOrEqual, b) }

  /// Holds where the first value is at most the second one.
  public static func <= (a: Value, b: QueryValue) -> Where<Root> {
    b.compare(.greaterOrEqual, to: a)
  }

  /// Holds where the first value is greater.
  public static func > <Other: AttributeValue & Comparable>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> Where<Root> where Other._Comparand == Value._Comparand { compared(a, .greater, b) }

  /// Holds where the first value is greater.
  public static func > (a: Value, b: QueryValue) -> Where<Root> {
    b.compare(.less, to: a)
  }

  /// Holds where the first value is at least the second one.
  public static func >= <Other: AttributeValue & Comparable>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> Where<Root> where Other._Comparand == Value._Comparand { compared(a, .greaterOrEqual, b) }

  /// Holds where the first value is at least the second one.
  public static func >= (a: Value, b: QueryValue) -> Where<Root> {
    b.compare(.lessOrEqual, to: a)
  }
}

private func compared<Root: ManagedEntity, A: AttributeValue, B: AttributeValue>(
  _ a: QueryValue<Root, A>, _ comparison: PredicateNode.ComparisonOperator,
  _ b: QueryValue<Root, B>
) -> Where<Root> { Where(.comparison(a.expression, comparison, b.expression, [])) }

// What is calculated with integers is wide enough for all results: see `QueryNumber`. A result beyond
// 64 bits becomes a Double, which a condition compares and a column of integers refuses.

extension QueryValue where Value: QueryNumber {
  /// The number without its sign.
  public var magnitude: QueryValue<Root, Value.Calculated> {
    QueryValue<Root, Value.Calculated>(.function(.absolute, expression))
  }

  /// The greatest whole number that is not above the number: -3 for -2.5.
  public var roundedDown: QueryValue { QueryValue(.function(.floor, expression)) }

  /// The sum; of integers beyond 64 bits a Double.
  public static func + <Other: QueryNumber & BinaryInteger>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Value.Calculated> { calculated(a.expression, .add, b.expression) }

  /// The sum.
  public static func + <Other: QueryNumber & BinaryFloatingPoint>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Double> { calculated(a.expression, .add, b.expression) }

  /// The sum; of integers beyond 64 bits a Double.
  public static func + (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .add, .value(b.scalar))
  }

  /// The sum; of integers beyond 64 bits a Double.
  public static func + (a: Value, b: QueryValue) -> QueryValue<Root, Value.Calculated> {
    calculated(.value(a.scalar), .add, b.expression)
  }

  /// The difference; of integers beyond 64 bits a Double.
  public static func - <Other: QueryNumber & BinaryInteger>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Value.Calculated> { calculated(a.expression, .subtract, b.expression) }

  /// The difference.
  public static func - <Other: QueryNumber & BinaryFloatingPoint>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Double> { calculated(a.expression, .subtract, b.expression) }

  /// The difference; of integers beyond 64 bits a Double.
  public static func - (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .subtract, .value(b.scalar))
  }

  /// The difference; of integers beyond 64 bits a Double.
  public static func - (a: Value, b: QueryValue) -> QueryValue<Root, Value.Calculated> {
    calculated(.value(a.scalar), .subtract, b.expression)
  }

  /// The product; of integers beyond 64 bits a Double.
  public static func * <Other: QueryNumber & BinaryInteger>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Value.Calculated> { calculated(a.expression, .multiply, b.expression) }

  /// The product.
  public static func * <Other: QueryNumber & BinaryFloatingPoint>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Double> { calculated(a.expression, .multiply, b.expression) }

  /// The product; of integers beyond 64 bits a Double.
  public static func * (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .multiply, .value(b.scalar))
  }

  /// The product; of integers beyond 64 bits a Double.
  public static func * (a: Value, b: QueryValue) -> QueryValue<Root, Value.Calculated> {
    calculated(.value(a.scalar), .multiply, b.expression)
  }

  /// The quotient, of integers an integer; nil where the divisor is 0.
  public static func / <Other: QueryNumber & BinaryInteger>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Value.Calculated> { calculated(a.expression, .divide, b.expression) }

  /// The quotient; nil where the divisor is 0.
  public static func / <Other: QueryNumber & BinaryFloatingPoint>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Double> { calculated(a.expression, .divide, b.expression) }

  /// The quotient, of integers an integer; nil where the divisor is 0.
  public static func / (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .divide, .value(b.scalar))
  }

  /// The quotient, of integers an integer; nil where the divisor is 0.
  public static func / (a: Value, b: QueryValue) -> QueryValue<Root, Value.Calculated> {
    calculated(.value(a.scalar), .divide, b.expression)
  }
}

extension QueryValue where Value: QueryNumber & BinaryInteger {
  /// What division leaves; nil where the divisor is 0.
  public static func % (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .remainder, .value(b.scalar))
  }

  /// What division leaves; nil where the divisor is 0.
  public static func % <Other: QueryNumber & BinaryInteger>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Value.Calculated> { calculated(a.expression, .remainder, b.expression) }

  /// The bits that both have: `$0.flags & 4 != 0`.
  public static func & (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .bitAnd, .value(b.scalar))
  }

  /// The bits that one of both has.
  public static func | (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .bitOr, .value(b.scalar))
  }

  /// The bits that only one of both has.
  public static func ^ (a: QueryValue, b: Value) -> QueryValue<Root, Value.Calculated> {
    calculated(a.expression, .bitXor, .value(b.scalar))
  }

  /// The bits that both have.
  public static func & <Other: QueryNumber & BinaryInteger>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> QueryValue<Root, Value.Calculated> { calculated(a.expression, .bitAnd, b.expression) }
}

private func calculated<Root: ManagedEntity, Value: AttributeValue>(
  _ a: QueryExpression, _ operation: QueryExpression.Arithmetic, _ b: QueryExpression
) -> QueryValue<Root, Value> { QueryValue(.arithmetic(operation, a, b)) }

// Decimals are calculated with decimals and with integers: what comes of it is rounded as a column keeps it.

extension QueryValue where Value == Decimal {
  /// The sum, rounded as a column keeps it.
  public static func + (a: QueryValue, b: QueryValue) -> QueryValue {
    QueryValue(.arithmetic(.add, a.expression, b.expression))
  }

  /// The difference, rounded as a column keeps it.
  public static func - (a: QueryValue, b: QueryValue) -> QueryValue {
    QueryValue(.arithmetic(.subtract, a.expression, b.expression))
  }

  /// The product, rounded as a column keeps it.
  public static func * (a: QueryValue, b: QueryValue) -> QueryValue {
    QueryValue(.arithmetic(.multiply, a.expression, b.expression))
  }

  /// The quotient, rounded as a column keeps it; nil where the divisor is 0.
  public static func / (a: QueryValue, b: QueryValue) -> QueryValue {
    QueryValue(.arithmetic(.divide, a.expression, b.expression))
  }
}

extension QueryValue where Value == String {
  /// Holds where the text begins with another one.
  public func beginsWith(_ text: String, _ options: TextOptions = []) -> Where<Root> {
    search(.beginsWith, for: text, options: options)
  }

  /// Holds where the text contains another one.
  public func contains(_ text: String, _ options: TextOptions = []) -> Where<Root> {
    search(.contains, for: text, options: options)
  }

  /// Holds where the text ends with another one.
  public func endsWith(_ text: String, _ options: TextOptions = []) -> Where<Root> {
    search(.endsWith, for: text, options: options)
  }

  /// Holds where the whole text is like a pattern, in which `*` stands for any characters and `?`
  /// for one.
  public func isLike(_ pattern: String, _ options: TextOptions = []) -> Where<Root> {
    search(.like, for: pattern, options: options)
  }

  /// Holds where the whole text matches a regular expression; the time is bounded by the lengths of
  /// both.
  public func matches(_ pattern: String, _ options: TextOptions = []) -> Where<Root> {
    search(.matches, for: pattern, options: options)
  }

  /// Holds where the text is equal to another one but for case, or diacritics, or both.
  public func isEqual(to text: String, _ options: TextOptions) -> Where<Root> {
    Where(.comparison(expression, .equal, .value(.text(text)), options))
  }

  /// Holds where the text is one of several but for case, or diacritics, or both.
  public func isIn(_ texts: some Sequence<String>, _ options: TextOptions) -> Where<Root> {
    Where(.isIn(expression, texts.map { .text($0) }, options))
  }

  /// The text in small letters, by the root locale's rules.
  public var lowercased: QueryValue<Root, String> { QueryValue(.function(.lowercase, expression)) }

  /// The text in large letters, by the root locale's rules.
  public var uppercased: QueryValue<Root, String> { QueryValue(.function(.uppercase, expression)) }

  /// How many UTF-16 units the text has, as the rule `.length` counts them.
  public var length: QueryValue<Root, Int> { QueryValue<Root, Int>(.function(.length, expression)) }

  private func search(
    _ search: PredicateNode.TextOperator, for text: String, options: TextOptions
  ) -> Where<Root> {
    Where(.text(expression, search, .value(.text(text)), options))
  }
}
