public import CauldronGraph
public import CauldronModel
public import CauldronQuery

/// An enumeration in a condition: it is compared, ordered and looked up by its raw value.
///
/// ```swift
/// { $0.state == .open && $0.priority >= .high }
/// ```
public struct QueryEnumeration<Root: ManagedEntity, Value: RawRepresentable>: Sendable
where Value.RawValue: AttributeValue {
  /// The raw value as a tree.
  public let expression: QueryExpression

  init(_ expression: QueryExpression) { self.expression = expression }

  /// The raw value, which can be selected, grouped by and calculated with.
  ///
  /// ```swift
  /// try Ticket.grouped { $0.state.rawValue }.count(in: context)    // [(key: Int?, value: Int)]
  /// ```
  public var rawValue: QueryValue<Root, Value.RawValue> { QueryValue(expression) }

  /// Holds where the value is equal; with nil, where there is none.
  public static func == (a: QueryEnumeration, b: Value?) -> Where<Root> { a.compare(.equal, to: b) }

  /// Holds where the value is another one, or none; with nil, where there is any.
  public static func != (a: QueryEnumeration, b: Value?) -> Where<Root> {
    a.compare(.notEqual, to: b)
  }

  /// Holds where the raw value is less.
  public static func < (a: QueryEnumeration, b: Value) -> Where<Root> { a.compare(.less, to: b) }

  /// Holds where the raw value is at most another one.
  public static func <= (a: QueryEnumeration, b: Value) -> Where<Root> {
    a.compare(.lessOrEqual, to: b)
  }

  /// Holds where the raw value is greater.
  public static func > (a: QueryEnumeration, b: Value) -> Where<Root> { a.compare(.greater, to: b) }

  /// Holds where the raw value is at least another one.
  public static func >= (a: QueryEnumeration, b: Value) -> Where<Root> {
    a.compare(.greaterOrEqual, to: b)
  }

  /// Holds where the value is one of several.
  public func isIn(_ values: some Sequence<Value>) -> Where<Root> {
    Where(.isIn(expression, values.map(\.rawValue.scalar), []))
  }

  private func compare(
    _ comparison: PredicateNode.ComparisonOperator, to b: Value?
  ) -> Where<Root> {
    Where(.comparison(expression, comparison, .value(b.map(\.rawValue.scalar) ?? .null), []))
  }
}
