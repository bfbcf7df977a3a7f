// swift-format-ignore-file: AmbiguousTrailingClosureOverload

public import CauldronGraph
public import CauldronModel

// One function for each number of values: the compiler does not follow a pack of optionals.

extension ObjectQuery {
  /// A value of the objects, which may reach through relationships; each may be nil.
  public func select<A: AttributeValue>(
    _ build: (Object.QueryRoot) -> QueryValue<Object, A>
  ) -> ValueSelection<Object, A?> {
    ValueSelection(self, [build(Object.QueryRoot.root).expression], .single())
  }

  /// Two values of the objects, which may reach through relationships; each may be nil.
  public func select<A: AttributeValue, B: AttributeValue>(
    _ build: (Object.QueryRoot) -> (QueryValue<Object, A>, QueryValue<Object, B>)
  ) -> ValueSelection<Object, (A?, B?)> {
    let values = build(Object.QueryRoot.root)
    return ValueSelection(self, [values.0.expression, values.1.expression], .tuple())
  }

  /// Three values of the objects, which may reach through relationships; each may be nil.
  public func select<A: AttributeValue, B: AttributeValue, C: AttributeValue>(
    _ build: (Object.QueryRoot) -> (
      QueryValue<Object, A>, QueryValue<Object, B>, QueryValue<Object, C>
    )
  ) -> ValueSelection<Object, (A?, B?, C?)> {
    let values = build(Object.QueryRoot.root)
    return ValueSelection(
      self, [values.0.expression, values.1.expression, values.2.expression], .tuple())
  }

  /// Four values of the objects, which may reach through relationships; each may be nil.
  public func select<A: AttributeValue, B: AttributeValue, C: AttributeValue, D: AttributeValue>(
    _ build: (Object.QueryRoot) -> (
      QueryValue<Object, A>, QueryValue<Object, B>, QueryValue<Object, C>, QueryValue<Object, D>
    )
  ) -> ValueSelection<Object, (A?, B?, C?, D?)> {
    let values = build(Object.QueryRoot.root)
    return ValueSelection(
      self, [values.0.expression, values.1.expression, values.2.expression, values.3.expression],
      .tuple())
  }
}

extension ManagedEntity {
  /// A value of the objects, which may reach through relationships; each may be nil.
  public static func select<A: AttributeValue>(
    _ build: (QueryRoot) -> QueryValue<Self, A>
  ) -> ValueSelection<Self, A?> {
    ObjectQuery().select(build)
  }

  /// Two values of the objects, which may reach through relationships; each may be nil.
  ///
  /// ```swift
  /// Person.select { ($0.name, $0.employer.name) }                    // (String?, String?)
  /// ```
  public static func select<A: AttributeValue, B: AttributeValue>(
    _ build: (QueryRoot) -> (QueryValue<Self, A>, QueryValue<Self, B>)
  ) -> ValueSelection<Self, (A?, B?)> {
    ObjectQuery().select(build)
  }

  /// Three values of the objects, which may reach through relationships; each may be nil.
  public static func select<A: AttributeValue, B: AttributeValue, C: AttributeValue>(
    _ build: (QueryRoot) -> (QueryValue<Self, A>, QueryValue<Self, B>, QueryValue<Self, C>)
  ) -> ValueSelection<Self, (A?, B?, C?)> {
    ObjectQuery().select(build)
  }

  /// Four values of the objects, which may reach through relationships; each may be nil.
  public static func select<
    A: AttributeValue, B: AttributeValue, C: AttributeValue, D: AttributeValue
  >(
    _ build: (QueryRoot) -> (
      QueryValue<Self, A>, QueryValue<Self, B>, QueryValue<Self, C>, QueryValue<Self, D>
    )
  ) -> ValueSelection<Self, (A?, B?, C?, D?)> {
    ObjectQuery().select(build)
  }
}
