public import CauldronGraph
public import CauldronModel

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
  public static func == (a: QueryValue, b: Value?) -> Where<Root> { a.compare(.equal, b) }

  /// Holds where the value is another one, or none; with nil, where there is any.
  public static func != (a: QueryValue, b: Value?) -> Where<Root> { a.compare(.notEqual, b) }

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
    compare(.greaterOrEqual, range.lowerBound) && compare(.less, range.upperBound)
  }

  func compare(_ comparison: PredicateNode.ComparisonOperator, _ b: Value?) -> Where<Root> {
    Where(.comparison(expression, comparison, .value(b.map(\.scalar) ?? .null), []))
  }
}

extension QueryValue where Value: Comparable {
  /// Holds where the value is less.
  public static func < (a: QueryValue, b: Value) -> Where<Root> { a.compare(.less, b) }

  /// Holds where the value is at most another one.
  public static func <= (a: QueryValue, b: Value) -> Where<Root> { a.compare(.lessOrEqual, b) }

  /// Holds where the value is greater.
  public static func > (a: QueryValue, b: Value) -> Where<Root> { a.compare(.greater, b) }

  /// Holds where the value is at least another one.
  public static func >= (a: QueryValue, b: Value) -> Where<Root> { a.compare(.greaterOrEqual, b) }

  /// Holds where the value lies between two others, or is one of them.
  public func isBetween(_ least: Value, _ most: Value) -> Where<Root> {
    Where(.between(expression, .value(least.scalar), .value(most.scalar)))
  }
}

extension QueryValue where Value == Bool {
  /// Whether the value is true: a condition by itself.
  public static prefix func ! (value: QueryValue) -> Where<Root> { !(value == true) }
}
