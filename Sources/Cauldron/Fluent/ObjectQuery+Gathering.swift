public import CauldronGraph
public import CauldronModel

extension ObjectQuery {
  /// The sum of an attribute of the objects, in the window; 0 of none.
  ///
  /// Sums of `Int16` and `Int32` are `Int`, those of `Float` are `Double`.
  /// - Throws: `query.…`, `query.overflow` for integers beyond 64 bits, `store.…`.
  /// - Complexity: One statement; with pending changes O(rows).
  public func sum<Value: QueryNumber>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> Value.Calculated { try gather(context) { $0.sum(path) } ?? .zero }

  /// The sum of an optional attribute of the objects, in the window; 0 of none.
  /// - Throws: As ``sum(_:in:)``.
  public func sum<Value: QueryNumber>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> Value.Calculated { try gather(context) { $0.sum(path) } ?? .zero }

  /// The average of an attribute of the objects, in the window; nil of none.
  /// - Throws: As ``sum(_:in:)``.
  public func average<Value: QueryNumber>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> Double? { try gather(context) { $0.average(path) } }

  /// The average of an optional attribute of the objects, in the window; nil of none.
  /// - Throws: As ``sum(_:in:)``.
  public func average<Value: QueryNumber>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> Double? { try gather(context) { $0.average(path) } }

  /// The smallest value of an attribute of the objects, in the window; nil of none.
  /// - Throws: As ``sum(_:in:)``.
  public func min<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> Value? { try gather(context) { $0.min(path) } }

  /// The smallest value of an optional attribute of the objects, in the window; nil of none.
  /// - Throws: As ``sum(_:in:)``.
  public func min<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> Value? { try gather(context) { $0.min(path) } }

  /// The largest value of an attribute of the objects, in the window; nil of none.
  /// - Throws: As ``sum(_:in:)``.
  public func max<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> Value? { try gather(context) { $0.max(path) } }

  /// The largest value of an optional attribute of the objects, in the window; nil of none.
  /// - Throws: As ``sum(_:in:)``.
  public func max<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> Value? { try gather(context) { $0.max(path) } }

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
  ) throws -> Value? { try gather(context, build) }

  private func gather<Value: AttributeValue>(
    _ context: some ObjectContext,
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
