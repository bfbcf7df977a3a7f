public import CauldronGraph
public import CauldronModel

/// Objects by what they have in common, and what is gathered from each group, in one statement.
///
/// ```swift
/// let ages = try Person.grouped(by: \.city).having { $0.count > 2 }.average(\.age, in: context)
/// for (city, age) in ages { … }                                   // [(key: String, value: Double?)]
/// let lines = try Person.grouped(by: \.city, \.isActive).values(in: context) {
///   ($0.count, $0.max(\.age))
/// }
/// ```
/// Groups come by their keys, nil first, unless an order is given.
public struct ObjectGroups<Object: ManagedEntity, each Key: AttributeValue>: Sendable {
  private let query: ObjectQuery<Object>
  private let keys: [QueryExpression]
  private var condition: PredicateNode?

  init(_ query: ObjectQuery<Object>, _ keys: [QueryExpression], _ condition: PredicateNode? = nil) {
    self.query = query
    self.keys = keys
    self.condition = condition
  }

  /// Only those objects for which a condition holds are grouped.
  public func `where`(_ condition: Where<Object>) -> Self {
    Self(query.where(condition), keys, self.condition)
  }

  /// Only those groups for which a condition holds, too.
  public func having(_ build: (QueryGroup<Object>) -> Where<Object>) -> Self {
    let node = build(QueryGroup()).node
    return Self(query, keys, condition.map { .and([$0, node]) } ?? node)
  }

  /// In the order of something that is gathered from the groups, or of a key.
  public func sorted(by order: (QueryGroup<Object>) -> some SortValue<Object>) -> Self {
    Self(query.sorted(by: [order(QueryGroup()).sortTerm]), keys, condition)
  }

  /// The first groups alone.
  public func limit(_ most: Int) -> Self { Self(query.limit(most), keys, condition) }

  /// The same as a request, with what is to be gathered.
  public func request(_ gathered: [QueryExpression]) -> ValueRequest<Object> {
    var request = ValueRequest(query.request)
    request.columns = keys + gathered
    request.groups = keys
    request.having = condition
    return request
  }

  /// How many objects each group has.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement; with pending changes O(rows).
  public func count(
    in context: some ObjectContext
  ) throws -> [(key: (repeat each Key), value: Int)] { try gather(QueryGroup().count, context) }

  /// The sum of an attribute in each group; 0 where all are nil.
  /// - Throws: As ``count(in:)``, and `query.overflow`.
  public func sum<Value: AttributeValue & Numeric>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: (repeat each Key), value: Value)] {
    try gather(QueryGroup().sum(path), context)
  }

  /// The average of an attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func average<Value: AttributeValue & Numeric>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: (repeat each Key), value: Double?)] {
    try gatherOptional(QueryGroup().average(path), context)
  }

  /// The average of an optional attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func average<Value: AttributeValue & Numeric>(
    _ path: KeyPath<Object, Value?>, in context: some ObjectContext
  ) throws -> [(key: (repeat each Key), value: Double?)] {
    try gatherOptional(QueryGroup().average(path), context)
  }

  /// The smallest value of an attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func min<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: (repeat each Key), value: Value?)] {
    try gatherOptional(QueryGroup().min(path), context)
  }

  /// The largest value of an attribute in each group; nil where all are nil.
  /// - Throws: As ``count(in:)``.
  public func max<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, in context: some ObjectContext
  ) throws -> [(key: (repeat each Key), value: Value?)] {
    try gatherOptional(QueryGroup().max(path), context)
  }

  /// Several values that are gathered from each group in one statement; each may be nil.
  /// - Throws: As ``count(in:)``.
  public func values<each Value: AttributeValue>(
    in context: some ObjectContext,
    _ build: (QueryGroup<Object>) -> (repeat QueryValue<Object, each Value>)
  ) throws -> [(key: (repeat each Key), values: (repeat (each Value)?))] {
    var gathered: [QueryExpression] = []
    let values = build(QueryGroup())
    for value in repeat each values { gathered.append(value.expression) }
    return try context.fetchValues(request(gathered)).map { scalars in
      var line = LineReader(scalars)
      let key = (repeat line.next((each Key).self))
      return (key: key, values: (repeat line.next(Optional<each Value>.self)))
    }
  }

  private func gather<Value: AttributeValue>(
    _ value: QueryValue<Object, Value>, _ context: some ObjectContext
  ) throws -> [(key: (repeat each Key), value: Value)] {
    try context.fetchValues(request([value.expression])).map { scalars in
      var line = LineReader(scalars)
      let key = (repeat line.next((each Key).self))
      return (key: key, value: line.next(Value.self))
    }
  }

  private func gatherOptional<Value: AttributeValue>(
    _ value: QueryValue<Object, Value>, _ context: some ObjectContext
  ) throws -> [(key: (repeat each Key), value: Value?)] {
    try context.fetchValues(request([value.expression])).map { scalars in
      var line = LineReader(scalars)
      let key = (repeat line.next((each Key).self))
      return (key: key, value: line.next(Value?.self))
    }
  }
}

extension ObjectQuery {
  /// The objects by what they have in common.
  public func grouped<each Key: AttributeValue>(
    by path: repeat KeyPath<Object, each Key>
  ) -> ObjectGroups<Object, repeat each Key> {
    var keys: [QueryExpression] = []
    for path in repeat each path { keys.append(.property(KeyPathTable.path(of: path))) }
    return ObjectGroups(self, keys)
  }

  /// The objects by a value that may reach through relationships, and may be nil.
  public func grouped<Value: AttributeValue>(
    by build: (Object.QueryRoot) -> QueryValue<Object, Value>
  ) -> ObjectGroups<Object, Value?> {
    ObjectGroups(self, [build(Object.QueryRoot.root).expression])
  }
}

extension ManagedEntity {
  /// The objects by what they have in common.
  ///
  /// ```swift
  /// try Person.grouped(by: \.city).count(in: context)                // [(key: String, value: Int)]
  /// ```
  public static func grouped<each Key: AttributeValue>(
    by path: repeat KeyPath<Self, each Key>
  ) -> ObjectGroups<Self, repeat each Key> { ObjectQuery().grouped(by: repeat each path) }

  /// The objects by a value that may reach through relationships, and may be nil.
  ///
  /// ```swift
  /// try Person.grouped { $0.employer.name }.count(in: context)       // [(key: String?, value: Int)]
  /// ```
  public static func grouped<Value: AttributeValue>(
    by build: (QueryRoot) -> QueryValue<Self, Value>
  ) -> ObjectGroups<Self, Value?> { ObjectQuery().grouped(by: build) }
}
