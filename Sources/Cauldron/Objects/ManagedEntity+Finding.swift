public import CauldronGraph
import CauldronModel

extension ManagedEntity {
  /// The objects that a condition selects, unsaved changes of the context's chain included.
  ///
  /// ```swift
  /// let adults = try Person.findAll(where: \.age >= 18, sortedBy: \.name, in: context)
  /// // SELECT … FROM ZPERSON WHERE ZAGE >= 18 ORDER BY ZNAME, Z_PK
  /// ```
  /// - Parameters:
  ///   - condition: Which objects; nil for all.
  ///   - path: The attribute to sort by; nil values come first when ascending.
  ///   - ascending: Whether the smallest value comes first; true by default.
  ///   - limit: The most objects to return; nil for all.
  ///   - offset: How many objects to leave out at the start.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy path: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    let order = [SortTerm(path, ascending: ascending)]
    return try context.fetch(request(condition, order, limit, offset))
  }

  /// The objects that a condition selects, sorted by several attributes or not at all.
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy order: [SortTerm<Self>] = [],
    limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    try context.fetch(request(condition, order, limit, offset))
  }

  /// The first object that a condition selects; nil if there is none.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement with `LIMIT 1`.
  public static func findFirst(
    where condition: Where<Self>? = nil, sortedBy path: PartialKeyPath<Self>,
    ascending: Bool = true, in context: some ObjectContext
  ) throws -> Self? {
    let order = [SortTerm(path, ascending: ascending)]
    return try context.fetch(request(condition, order, 1, 0)).first
  }

  /// The first object that a condition selects, in the order of several attributes or in none.
  public static func findFirst(
    where condition: Where<Self>? = nil, sortedBy order: [SortTerm<Self>] = [],
    in context: some ObjectContext
  ) throws -> Self? {
    try context.fetch(request(condition, order, 1, 0)).first
  }

  static func request(
    _ condition: Where<Self>?, _ order: [SortTerm<Self>] = [], _ limit: Int? = nil,
    _ offset: Int = 0
  ) -> FetchRequest<Self> {
    var request = FetchRequest<Self>()
    request.predicate = condition?.node
    request.sortKeys = order.map(\.key)
    request.limit = limit
    request.offset = offset
    return request
  }
}
