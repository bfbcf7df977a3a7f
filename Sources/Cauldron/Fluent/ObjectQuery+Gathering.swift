// swift-format-ignore-file: AmbiguousTrailingClosureOverload

public import CauldronGraph
public import CauldronModel
import CauldronQuery

extension ObjectQuery {
  /// The sum of a value of the objects, in the window; 0 of none.
  ///
  /// ```swift
  /// try Person.where(\.isActive).sum(\.age, in: context)
  /// try Order.where(\.isPaid).sum({ $0.price * $0.count }, in: context)
  /// ```
  /// The value may be calculated, or reach through relationships. Sums of `Int16` and `Int32` are `Int`,
  /// those of `Float` are `Double`.
  /// - Throws: `query.…`, `query.overflow` for integers beyond 64 bits, `store.…`.
  /// - Complexity: One statement; with pending changes O(rows).
  public func sum<Value: QuerySummand>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>,
    in context: some ObjectContext
  ) throws -> Value.Calculated { try gather(in: context) { $0.sum(value) } ?? .zero }

  /// The average of a value of the objects, in the window; nil of none.
  /// - Throws: As ``sum(_:in:)``.
  public func average<Value: QuerySummand>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>,
    in context: some ObjectContext
  ) throws -> Double? { try gather(in: context) { $0.average(value) } }

  /// The smallest value of the objects, in the window; nil of none. Of Bool values false is smaller.
  /// - Throws: As ``sum(_:in:)``.
  public func min<Value: AttributeValue>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>,
    in context: some ObjectContext
  ) throws -> Value? { try gather(in: context) { $0.min(value) } }

  /// The largest value of the objects, in the window; nil of none. Of Bool values true is larger.
  /// - Throws: As ``sum(_:in:)``.
  public func max<Value: AttributeValue>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>,
    in context: some ObjectContext
  ) throws -> Value? { try gather(in: context) { $0.max(value) } }

  /// Several values that are gathered from all objects in one statement; each may be nil.
  ///
  /// ```swift
  /// let (count, oldest) = try Person.where(\.isActive).values(in: context) {
  ///   ($0.count, $0.max(\.age))
  /// }
  /// ```
  /// - Throws: As ``sum(_:in:)``.
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
  /// - Throws: As ``sum(_:in:)``.
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
    by build: (QueryPath<Object, Object>) -> QueryValue<Object, Value>
  ) -> ObjectGroups<Object, Value?> {
    ObjectGroups(self, [build(.root).expression], .single())
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
    by build: (QueryPath<Self, Self>) -> QueryValue<Self, Value>
  ) -> ObjectGroups<Self, Value?> { ObjectQuery().grouped(by: build) }
}

extension ObjectQuery {
  /// A value of the objects, which may reach through relationships, and may be nil.
  public func select<Value: AttributeValue>(
    _ build: (QueryPath<Object, Object>) -> QueryValue<Object, Value>
  ) -> ValueSelection<Object, Value?> {
    ValueSelection(self, [build(.root).expression], .single())
  }

  /// Values of the objects, which may reach through relationships; each may be nil.
  public func select<each Value: AttributeValue>(
    _ build: (QueryPath<Object, Object>) -> (repeat QueryValue<Object, each Value>)
  ) -> ValueSelection<Object, (repeat (each Value)?)> {
    let values = build(.root)
    var columns: [QueryExpression] = []
    for value in repeat each values { columns.append(value.expression) }
    return ValueSelection(self, columns, .tuple())
  }
}

extension ManagedEntity {
  /// A value of the objects, which may reach through relationships, and may be nil.
  public static func select<Value: AttributeValue>(
    _ build: (QueryPath<Self, Self>) -> QueryValue<Self, Value>
  ) -> ValueSelection<Self, Value?> { ObjectQuery().select(build) }

  /// Values of the objects, which may reach through relationships; each may be nil.
  ///
  /// ```swift
  /// Person.select { ($0.name, $0.employer.name) }                    // (String?, String?)
  /// ```
  public static func select<each Value: AttributeValue>(
    _ build: (QueryPath<Self, Self>) -> (repeat QueryValue<Self, each Value>)
  ) -> ValueSelection<Self, (repeat (each Value)?)> { ObjectQuery().select(build) }
}
