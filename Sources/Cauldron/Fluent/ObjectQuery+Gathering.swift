public import CauldronGraph
public import CauldronModel

extension ObjectQuery {
  /// The sum of an attribute of all objects; 0 of none. The query's window is left out.
  /// - Throws: `query.…`, `query.overflow`, `store.…`.
  /// - Complexity: One statement; with pending changes O(rows).
  public func sum<Value: AttributeValue & Numeric>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> Value { try gather(context) { $0.sum(path) } ?? .zero }

  /// The average of an attribute of all objects; nil of none. The query's window is left out.
  /// - Throws: As ``sum(_:in:)``.
  public func average<Value: AttributeValue & Numeric>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> Double? { try gather(context) { $0.average(path) } }

  /// The smallest value of an attribute of all objects; nil of none. The query's window is left out.
  /// - Throws: As ``sum(_:in:)``.
  public func min<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> Value? { try gather(context) { $0.min(path) } }

  /// The largest value of an attribute of all objects; nil of none. The query's window is left out.
  /// - Throws: As ``sum(_:in:)``.
  public func max<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> Value? { try gather(context) { $0.max(path) } }

  /// The object with the smallest value of an attribute; nil where there is no object. One without a
  /// value comes last.
  /// - Throws: `query.…`, `store.…`.
  public func min(
    by path: PartialKeyPath<Object>, in context: some ObjectContext
  ) throws -> Object? {
    let expression = QueryExpression.property(KeyPathTable.path(of: path))
    let isNil = QueryExpression.conditional(
      .comparison(expression, .equal, .value(.null), []), .value(.integer(1)),
      .value(.integer(0)))
    var query = ObjectQuery(request)
    query.request.sortKeys = [SortKey(isNil), SortKey(expression)]
    return try query.first(in: context)
  }

  /// The object with the largest value of an attribute; nil where there is no object.
  /// - Throws: `query.…`, `store.…`.
  public func max(
    by path: PartialKeyPath<Object>, in context: some ObjectContext
  ) throws -> Object? {
    var query = ObjectQuery(request)
    query.request.sortKeys = [
      SortKey(.property(KeyPathTable.path(of: path)), ascending: false)
    ]
    return try query.first(in: context)
  }

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
    return (repeat line.next(Optional<each Value>.self))
  }

  private func gather<Value: AttributeValue>(
    _ context: some ObjectContext,
    _ build: (QueryGroup<Object>) -> QueryValue<Object, Value>
  ) throws -> Value? {
    let request = wholeRequest([build(QueryGroup()).expression])
    return try context.fetchValues(request).first?.first.flatMap {
      $0.isNull ? nil : .shown(for: $0)
    }
  }

  private func wholeRequest(_ columns: [QueryExpression]) -> ValueRequest<Object> {
    var whole = request
    whole.sortKeys = []
    whole.limit = nil
    whole.offset = 0
    var values = ValueRequest(whole)
    values.columns = columns
    values.groups = []
    return values
  }
}
