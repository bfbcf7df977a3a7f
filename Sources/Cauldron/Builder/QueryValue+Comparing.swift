import CauldronGraph
public import CauldronModel

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
  public static func == (a: Value?, b: QueryValue) -> Where<Root> { b.compare(.equal, a) }

  /// Holds where the value is another one, or none; with nil, where there is any.
  public static func != (a: Value?, b: QueryValue) -> Where<Root> { b.compare(.notEqual, a) }
}

extension QueryValue where Value: Comparable {
  /// Holds where the first value is less.
  public static func < <Other: AttributeValue & Comparable>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> Where<Root> where Other._Comparand == Value._Comparand { compared(a, .less, b) }

  /// Holds where the first value is less.
  public static func < (a: Value, b: QueryValue) -> Where<Root> {
    b.compare(.greater, a)
  }

  /// Holds where the first value is at most the second one.
  public static func <= <Other: AttributeValue & Comparable>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> Where<Root> where Other._Comparand == Value._Comparand { compared(a, .lessOrEqual, b) }

  /// Holds where the first value is at most the second one.
  public static func <= (a: Value, b: QueryValue) -> Where<Root> {
    b.compare(.greaterOrEqual, a)
  }

  /// Holds where the first value is greater.
  public static func > <Other: AttributeValue & Comparable>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> Where<Root> where Other._Comparand == Value._Comparand { compared(a, .greater, b) }

  /// Holds where the first value is greater.
  public static func > (a: Value, b: QueryValue) -> Where<Root> {
    b.compare(.less, a)
  }

  /// Holds where the first value is at least the second one.
  public static func >= <Other: AttributeValue & Comparable>(
    a: QueryValue, b: QueryValue<Root, Other>
  ) -> Where<Root> where Other._Comparand == Value._Comparand { compared(a, .greaterOrEqual, b) }

  /// Holds where the first value is at least the second one.
  public static func >= (a: Value, b: QueryValue) -> Where<Root> {
    b.compare(.lessOrEqual, a)
  }
}

private func compared<Root: ManagedEntity, A: AttributeValue, B: AttributeValue>(
  _ a: QueryValue<Root, A>, _ comparison: PredicateNode.ComparisonOperator,
  _ b: QueryValue<Root, B>
) -> Where<Root> { Where(.comparison(a.expression, comparison, b.expression, [])) }
