public import CauldronGraph
public import CauldronModel
public import CauldronQuery

/// Objects by what they have in common, and what is gathered from each group, in one statement.
///
/// ```swift
/// let ages = try Person.grouped(by: \.city).having { $0.count > 2 }.average(\.age, in: context)
/// for (city, age) in ages { … }                                   // [(key: String, value: Double?)]
/// let lines = try Person.grouped(by: \.city, \.isActive).values(in: context) {
///   ($0.count, $0.max(\.age))
/// }
/// ```
/// Groups come by their keys, nil first, unless an order is given. A window that was set before the
/// grouping is one of objects: `Person.where(\.isActive).sorted(by: \.age).limit(100).grouped(by: \.city)`
/// groups the hundred youngest.
///
/// A key of several values is a tuple, a single one is its value.
public struct ObjectGroups<Object: ManagedEntity, Key: Sendable>: Sendable {
  private let keys: [QueryExpression]
  let shape: LineShape<Key>
  private var base: ValueRequest<Object>

  /// The groups of the objects that a query selects, in its window.
  init(_ query: ObjectQuery<Object>, _ keys: [QueryExpression], _ shape: LineShape<Key>) {
    self.keys = keys
    self.shape = shape
    base = query.windowed
    base.groups = keys
  }

  /// Only those objects for which a condition holds, too, are grouped.
  public func `where`(_ condition: Where<Object>) -> Self {
    changed { $0.objects = ObjectQuery($0.objects).where(condition).request }
  }

  /// Only those objects for which a condition in the builder's form holds, too, are grouped.
  public func `where`(_ condition: (QueryPath<Object, Object>) -> Where<Object>) -> Self {
    self.where(condition(.root))
  }

  /// Only those groups for which a condition holds, too.
  public func having(_ build: (QueryGroup<Object>) -> Where<Object>) -> Self {
    let node = build(QueryGroup()).node
    return changed { $0.having = $0.having.map { .and([$0, node]) } ?? node }
  }

  /// In the order of something that is gathered from the groups, or of a key, `{ $0.key.city }`.
  public func sorted(by order: (QueryGroup<Object>) -> some SortValue<Object>) -> Self {
    let key = order(QueryGroup()).sortTerm(ascending: true).key
    return changed { $0.objects.sortKeys.append(key) }
  }

  /// The first groups alone. A negative number is refused by the fetch.
  public func limit(_ most: Int) -> Self { changed { $0.objects.limit = most } }

  /// Without the first groups. A negative number is refused by the fetch.
  public func offset(_ count: Int) -> Self { changed { $0.objects.offset = count } }

  /// The same as a request, with what is to be gathered.
  public func request(_ gathered: [QueryExpression]) -> ValueRequest<Object> {
    var request = base
    request.columns = keys + gathered
    return request
  }

  private func changed(_ change: (inout ValueRequest<Object>) -> Void) -> Self {
    var copy = self
    change(&copy.base)
    return copy
  }
}

extension ObjectGroups {
  /// How many objects each group has.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement; with pending changes O(rows).
  public func count(
    in context: some ObjectContext
  ) throws -> [(key: Key, value: Int)] { try gather(QueryGroup().count, in: context) }

  /// The sum of a value in each group; 0 where all are nil.
  ///
  /// ```swift
  /// try Person.grouped(by: \.city).sum(\.age, in: context)
  /// try Order.grouped(by: \.city).sum({ $0.price * $0.count }, in: context)
  /// ```
  /// The value may be calculated, or reach through relationships. Sums of `Int16` and `Int32` are `Int`,
  /// those of `Float` are `Double`.
  /// - Throws: As ``count(in:)``, and `query.overflow`.
  public func sum<Value: QuerySummand>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>,
    in context: some ObjectContext
  ) throws -> [(key: Key, value: Value.Calculated)] {
    try gather(QueryGroup().sum(value), in: context)
  }

  /// The average of a value in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func average<Value: QuerySummand>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>,
    in context: some ObjectContext
  ) throws -> [(key: Key, value: Double?)] {
    try gatherOptional(QueryGroup().average(value), in: context)
  }

  /// The smallest value in each group; nil where all are nil. Of Bool values false is smaller.
  /// - Throws: As ``count(in:)``.
  public func min<Value: AttributeValue>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>,
    in context: some ObjectContext
  ) throws -> [(key: Key, value: Value?)] {
    try gatherOptional(QueryGroup().min(value), in: context)
  }

  /// The largest value in each group; nil where all are nil. Of Bool values true is larger.
  /// - Throws: As ``count(in:)``.
  public func max<Value: AttributeValue>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>,
    in context: some ObjectContext
  ) throws -> [(key: Key, value: Value?)] {
    try gatherOptional(QueryGroup().max(value), in: context)
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
    try gatherOptional(build(QueryGroup()), in: context).map { (key: $0.key, values: $0.value) }
  }

  private func gather<Value: AttributeValue>(
    _ value: QueryValue<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value)] {
    try context.fetchValues(request([value.expression])).map { scalars in
      var line = LineReader(scalars)
      let key = try shape.read(&line)
      return (key: key, value: try line.next(Value.self))
    }
  }

  private func gatherOptional<Value: AttributeValue>(
    _ value: QueryValue<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value?)] {
    try context.fetchValues(request([value.expression])).map { scalars in
      var line = LineReader(scalars)
      let key = try shape.read(&line)
      return (key: key, value: try line.next(Value?.self))
    }
  }
}
