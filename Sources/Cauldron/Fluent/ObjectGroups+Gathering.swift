public import CauldronGraph
public import CauldronModel

extension ObjectGroups {
  /// How many objects each group has.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement; with pending changes O(rows).
  public func count(
    in context: some ObjectContext
  ) throws -> [(key: Key, value: Int)] { try gather(QueryGroup().count, context) }

  /// The sum of an attribute in each group; 0 where all are nil. Sums of `Int16` and
  /// `Int32` are `Int`, those of `Float` are `Double`.
  /// - Throws: As ``count(in:)``, and `query.overflow`.
  public func sum<Value: QueryNumber>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value.Calculated)] {
    try gather(QueryGroup().sum(path), context)
  }

  /// The sum of an optional attribute in each group; 0 where all are nil.
  /// - Throws: As ``sum(_:in:)``.
  public func sum<Value: QueryNumber>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value.Calculated)] {
    try gather(QueryGroup().sum(path), context)
  }

  /// The average of an attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func average<Value: QueryNumber>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Double?)] {
    try gatherOptional(QueryGroup().average(path), context)
  }

  /// The average of an optional attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func average<Value: QueryNumber>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Double?)] {
    try gatherOptional(QueryGroup().average(path), context)
  }

  /// The smallest value of an attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func min<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value?)] {
    try gatherOptional(QueryGroup().min(path), context)
  }

  /// The smallest value of an optional attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func min<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value?)] {
    try gatherOptional(QueryGroup().min(path), context)
  }

  /// The largest value of an attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func max<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value?)] {
    try gatherOptional(QueryGroup().max(path), context)
  }

  /// The largest value of an optional attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func max<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value?)] {
    try gatherOptional(QueryGroup().max(path), context)
  }

  /// Several values that are gathered from each group in one statement; each may be nil.
  /// - Throws: As ``count(in:)``.
  public func values<each Value: AttributeValue>(
    in context: some ObjectContext,
    _ build: (QueryGroup<Object>) -> (repeat QueryValue<Object, each Value>)
  ) throws -> [(key: Key, values: (repeat (each Value)?))] {
    var gathered: [QueryExpression] = []
    let values = build(QueryGroup())
    for value in repeat each values { gathered.append(value.expression) }
    return try context.fetchValues(request(gathered)).map { scalars in
      var line = LineReader(scalars)
      let key = try shape.read(&line)
      return (key: key, values: (repeat try line.next(Optional<each Value>.self)))
    }
  }

  /// A value that is gathered from each group, and may be nil.
  /// - Throws: As ``count(in:)``.
  public func values<Value: AttributeValue>(
    in context: some ObjectContext,
    _ build: (QueryGroup<Object>) -> QueryValue<Object, Value>
  ) throws -> [(key: Key, values: Value?)] {
    try gatherOptional(build(QueryGroup()), context).map { (key: $0.key, values: $0.value) }
  }

  private func gather<Value: AttributeValue>(
    _ value: QueryValue<Object, Value>, _ context: some ObjectContext
  ) throws -> [(key: Key, value: Value)] {
    try context.fetchValues(request([value.expression])).map { scalars in
      var line = LineReader(scalars)
      let key = try shape.read(&line)
      return (key: key, value: try line.next(Value.self))
    }
  }

  private func gatherOptional<Value: AttributeValue>(
    _ value: QueryValue<Object, Value>, _ context: some ObjectContext
  ) throws -> [(key: Key, value: Value?)] {
    try context.fetchValues(request([value.expression])).map { scalars in
      var line = LineReader(scalars)
      let key = try shape.read(&line)
      return (key: key, value: try line.next(Value?.self))
    }
  }
}
