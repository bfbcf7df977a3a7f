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
  public func `where`(_ condition: (Object.QueryRoot) -> Where<Object>) -> Self {
    self.where(condition(Object.QueryRoot.root))
  }

  /// Only those groups for which a condition holds, too.
  public func having(_ build: (QueryGroup<Object>) -> Where<Object>) -> Self {
    let node = build(QueryGroup()).node
    return changed { $0.having = $0.having.map { .and([$0, node]) } ?? node }
  }

  /// In the order of something that is gathered from the groups, or of a key, `{ $0.key.city }`.
  public func sorted(by order: (QueryGroup<Object>) -> some SortValue<Object>) -> Self {
    let key = order(QueryGroup()).sortTerm.key
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

  /// The sum of an attribute in each group; 0 where all are nil. Sums of `Int16` and
  /// `Int32` are `Int`, those of `Float` are `Double`.
  /// - Throws: As ``count(in:)``, and `query.overflow`.
  public func sum<Value: QuerySummand>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value.Calculated)] {
    try gather(QueryGroup().sum(path), in: context)
  }

  /// The sum of an optional attribute in each group; 0 where all are nil.
  /// - Throws: As `sum(_:in:)`.
  public func sum<Value: QuerySummand>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value.Calculated)] {
    try gather(QueryGroup().sum(path), in: context)
  }

  /// The sum of a value that may be calculated, or reach through relationships, in each group; 0 where all are
  /// nil.
  ///
  /// ```swift
  /// try Order.grouped(by: \.city).sum(in: context) { $0.price * $0.count }
  /// ```
  /// - Throws: As `sum(_:in:)`.
  public func sum<Value: QuerySummand>(
    in context: some ObjectContext, of value: (Object.QueryRoot) -> QueryValue<Object, Value>
  ) throws -> [(key: Key, value: Value.Calculated)] {
    try gather(QueryGroup().sum(of: value), in: context)
  }

  /// The average of such a value in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func average<Value: QuerySummand>(
    in context: some ObjectContext, of value: (Object.QueryRoot) -> QueryValue<Object, Value>
  ) throws -> [(key: Key, value: Double?)] {
    try gatherOptional(QueryGroup().average(of: value), in: context)
  }

  /// The average of an attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func average<Value: QuerySummand>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Double?)] {
    try gatherOptional(QueryGroup().average(path), in: context)
  }

  /// The average of an optional attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func average<Value: QuerySummand>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Double?)] {
    try gatherOptional(QueryGroup().average(path), in: context)
  }

  /// The smallest value of an attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func min<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value?)] {
    try gatherOptional(QueryGroup().min(path), in: context)
  }

  /// The smallest value of an optional attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func min<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value?)] {
    try gatherOptional(QueryGroup().min(path), in: context)
  }

  /// The largest value of an attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func max<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value?)] {
    try gatherOptional(QueryGroup().max(path), in: context)
  }

  /// The largest value of an optional attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func max<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Value?)] {
    try gatherOptional(QueryGroup().max(path), in: context)
  }

  /// Whether a Bool is true of all objects of each group.
  /// - Throws: As ``count(in:)``.
  public func min(
    _ path: KeyPath<Object, Bool>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Bool?)] { try gatherOptional(QueryGroup().min(path), in: context) }

  /// Whether an optional Bool is true of all objects of each group that have one; nil where none has.
  /// - Throws: As ``count(in:)``.
  public func min(
    _ path: KeyPath<Object, Bool?>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Bool?)] { try gatherOptional(QueryGroup().min(path), in: context) }

  /// Whether a Bool is true of any object of each group.
  /// - Throws: As ``count(in:)``.
  public func max(
    _ path: KeyPath<Object, Bool>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Bool?)] { try gatherOptional(QueryGroup().max(path), in: context) }

  /// Whether an optional Bool is true of any object of each group; nil where none has one.
  /// - Throws: As ``count(in:)``.
  public func max(
    _ path: KeyPath<Object, Bool?>, in context: some ObjectContext
  ) throws -> [(key: Key, value: Bool?)] { try gatherOptional(QueryGroup().max(path), in: context) }

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
