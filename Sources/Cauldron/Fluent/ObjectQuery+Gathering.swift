// swift-format-ignore-file: AmbiguousTrailingClosureOverload

public import CauldronGraph
public import CauldronModel
import CauldronQuery

extension ObjectQuery {
  /// The sum of an attribute of the objects, in the window; 0 of none.
  ///
  /// Sums of `Int16` and `Int32` are `Int`, those of `Float` are `Double`.
  /// - Throws: `query.…`, `query.overflow` for integers beyond 64 bits, `store.…`.
  /// - Complexity: One statement; with pending changes O(rows).
  public func sum<Value: QuerySummand>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> Value.Calculated { try gather(in: context) { $0.sum(path) } ?? .zero }

  /// The sum of an optional attribute of the objects, in the window; 0 of none.
  /// - Throws: As `sum(_:in:)`.
  public func sum<Value: QuerySummand>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> Value.Calculated { try gather(in: context) { $0.sum(path) } ?? .zero }

  /// The average of an attribute of the objects, in the window; nil of none.
  /// - Throws: As `sum(_:in:)`.
  public func average<Value: QuerySummand>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> Double? { try gather(in: context) { $0.average(path) } }

  /// The average of an optional attribute of the objects, in the window; nil of none.
  /// - Throws: As `sum(_:in:)`.
  public func average<Value: QuerySummand>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> Double? { try gather(in: context) { $0.average(path) } }

  /// The smallest value of an attribute of the objects, in the window; nil of none.
  /// - Throws: As `sum(_:in:)`.
  public func min<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> Value? { try gather(in: context) { $0.min(path) } }

  /// The smallest value of an optional attribute of the objects, in the window; nil of none.
  /// - Throws: As `sum(_:in:)`.
  public func min<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> Value? { try gather(in: context) { $0.min(path) } }

  /// The largest value of an attribute of the objects, in the window; nil of none.
  /// - Throws: As `sum(_:in:)`.
  public func max<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> Value? { try gather(in: context) { $0.max(path) } }

  /// The largest value of an optional attribute of the objects, in the window; nil of none.
  /// - Throws: As `sum(_:in:)`.
  public func max<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> Value? { try gather(in: context) { $0.max(path) } }

  /// Whether a Bool is true of all objects, in the window: false comes before true; nil of none.
  /// - Throws: As `sum(_:in:)`.
  public func min(
    _ path: KeyPath<Object, Bool>, in context: some ObjectContext
  ) throws -> Bool? { try gather(in: context) { $0.min(path) } }

  /// Whether an optional Bool is true of all objects that have one, in the window; nil of none.
  /// - Throws: As `sum(_:in:)`.
  public func min(
    _ path: KeyPath<Object, Bool?>, in context: some ObjectContext
  ) throws -> Bool? { try gather(in: context) { $0.min(path) } }

  /// Whether a Bool is true of any object, in the window; nil of none.
  /// - Throws: As `sum(_:in:)`.
  public func max(
    _ path: KeyPath<Object, Bool>, in context: some ObjectContext
  ) throws -> Bool? { try gather(in: context) { $0.max(path) } }

  /// Whether an optional Bool is true of any object, in the window; nil of none.
  /// - Throws: As `sum(_:in:)`.
  public func max(
    _ path: KeyPath<Object, Bool?>, in context: some ObjectContext
  ) throws -> Bool? { try gather(in: context) { $0.max(path) } }

  /// The sum of a value that may be calculated, or reach through relationships; 0 of none.
  ///
  /// ```swift
  /// try Order.where(\.isPaid).sum(in: context) { $0.price * $0.count }
  /// ```
  /// - Throws: As `sum(_:in:)`.
  public func sum<Value: QuerySummand>(
    in context: some ObjectContext, of value: (Object.QueryRoot) -> QueryValue<Object, Value>
  ) throws -> Value.Calculated { try gather(in: context) { $0.sum(of: value) } ?? .zero }

  /// The average of such a value; nil of none.
  /// - Throws: As `sum(_:in:)`.
  public func average<Value: QuerySummand>(
    in context: some ObjectContext, of value: (Object.QueryRoot) -> QueryValue<Object, Value>
  ) throws -> Double? { try gather(in: context) { $0.average(of: value) } }

  /// Several values that are gathered from all objects in one statement; each may be nil.
  ///
  /// ```swift
  /// let (count, oldest) = try Person.where(\.isActive).values(in: context) {
  ///   ($0.count, $0.max(\.age))
  /// }
  /// ```
  /// - Throws: As `sum(_:in:)`.
  public func values<each Value: AttributeValue>(
    in context: some ObjectContext,
    _ build: (QueryGroup<Object>) -> (repeat QueryValue<Object, each Value>)
  ) throws -> (repeat (each Value)?) {
    var gathered: [QueryExpression] = []
    let values = build(QueryGroup())
    for value in repeat each values { gathered.append(value.expression) }
    var line = LineReader(try context.fetchValues(wholeRequest(gathered)).first ?? [])
    return (repeat try line.next(Optional<each Value>.self))
  }

  /// A value that is gathered from all objects, and may be nil.
  /// - Throws: As `sum(_:in:)`.
  public func values<Value: AttributeValue>(
    in context: some ObjectContext,
    _ build: (QueryGroup<Object>) -> QueryValue<Object, Value>
  ) throws -> Value? { try gather(in: context, build) }

  private func gather<Value: AttributeValue>(
    in context: some ObjectContext,
    _ build: (QueryGroup<Object>) -> QueryValue<Object, Value>
  ) throws -> Value? {
    let request = wholeRequest([build(QueryGroup()).expression])
    var line = LineReader(try context.fetchValues(request).first ?? [])
    return try line.next(Value?.self)
  }

  private func wholeRequest(_ columns: [QueryExpression]) -> ValueRequest<Object> {
    var values = windowed
    // One line has no order.
    values.objects.sortKeys = []
    values.columns = columns
    values.groups = []
    return values
  }

  /// A request for values that are gathered from the objects; the window is one of objects.
  var windowed: ValueRequest<Object> {
    var objects = request
    guard request.limit != nil || request.offset != 0 else {
      return ValueRequest(objects)
    }
    var window = ObjectWindow()
    window.sortKeys = request.sortKeys
    window.limit = request.limit
    window.offset = request.offset
    objects.sortKeys = []
    objects.limit = nil
    objects.offset = 0
    var values = ValueRequest(objects)
    values.window = window
    return values
  }
}

extension ObjectQuery {
  /// The objects by an attribute that they have in common; only those in the window, if there is one.
  public func grouped<Key: AttributeValue>(
    by path: KeyPath<Object, Key>
  ) -> ObjectGroups<Object, Key> {
    ObjectGroups(self, [.property(KeyPathTable.path(of: path))], .single())
  }

  /// The objects by what they have in common; only those in the window, if there is one.
  public func grouped<each Key: AttributeValue>(
    by path: repeat KeyPath<Object, each Key>
  ) -> ObjectGroups<Object, (repeat each Key)> {
    var keys: [QueryExpression] = []
    for path in repeat each path { keys.append(.property(KeyPathTable.path(of: path))) }
    return ObjectGroups(self, keys, .tuple())
  }

  /// The objects by a value that may reach through relationships, and may be nil.
  public func grouped<Value: AttributeValue>(
    by build: (Object.QueryRoot) -> QueryValue<Object, Value>
  ) -> ObjectGroups<Object, Value?> {
    ObjectGroups(self, [build(Object.QueryRoot.root).expression], .single())
  }
}

extension ManagedEntity {
  /// The objects by an attribute that they have in common.
  ///
  /// ```swift
  /// try Person.grouped(by: \.city).count(in: context)                // [(key: String, value: Int)]
  /// ```
  public static func grouped<Key: AttributeValue>(
    by path: KeyPath<Self, Key>
  ) -> ObjectGroups<Self, Key> { ObjectQuery().grouped(by: path) }

  /// The objects by what they have in common.
  ///
  /// ```swift
  /// try Person.grouped(by: \.city, \.isActive).count(in: context)    // [(key: (String, Bool), value: Int)]
  /// ```
  public static func grouped<each Key: AttributeValue>(
    by path: repeat KeyPath<Self, each Key>
  ) -> ObjectGroups<Self, (repeat each Key)> { ObjectQuery().grouped(by: repeat each path) }

  /// The objects by a value that may reach through relationships, and may be nil.
  ///
  /// ```swift
  /// try Person.grouped { $0.employer.name }.count(in: context)       // [(key: String?, value: Int)]
  /// ```
  public static func grouped<Value: AttributeValue>(
    by build: (QueryRoot) -> QueryValue<Self, Value>
  ) -> ObjectGroups<Self, Value?> { ObjectQuery().grouped(by: build) }
}

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

extension ObjectQuery {
  /// In the order of sort keys, such as those that a user has chosen, where the order so far leaves it
  /// open.
  ///
  /// ```swift
  /// Person.where(\.isActive).sorted(by: [SortKey("name"), SortKey("age", ascending: false)])
  /// ```
  @_disfavoredOverload
  public func sorted(by keys: [SortKey]) -> ObjectQuery { changed { $0.sortKeys += keys } }
}

extension ValueSelection {
  /// In the order of sort keys, such as those that a user has chosen.
  @_disfavoredOverload
  public func sorted(by keys: [SortKey]) -> ValueSelection { with(query.sorted(by: keys)) }
}
