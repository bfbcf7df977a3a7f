public import CauldronGraph
import CauldronModel

extension ManagedEntity {
  /// A request for the objects that a condition selects, to be changed and fetched later.
  ///
  /// ```swift
  /// var request = Person.fetchRequest(where: \.age >= 18, sortedBy: \.name)
  /// request.includesSubentities = false
  /// let adults = try context.fetch(request)
  /// ```
  /// - Parameters:
  ///   - condition: Which objects; nil for all.
  ///   - path: The attribute to sort by; nil values come first when ascending.
  ///   - ascending: Whether the smallest value comes first; true by default.
  ///   - limit: The most objects to return; nil for all.
  ///   - offset: How many objects to leave out at the start.
  public static func fetchRequest(
    where condition: Where<Self>? = nil, sortedBy path: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0
  ) -> FetchRequest<Self> {
    request(condition, [ascending ? .ascending(path) : .descending(path)], limit, offset)
  }

  /// A request for the objects that a condition selects, sorted by several attributes or not at all.
  public static func fetchRequest(
    where condition: Where<Self>? = nil, sortedBy order: [SortTerm<Self>] = [],
    limit: Int? = nil, offset: Int = 0
  ) -> FetchRequest<Self> {
    request(condition, order, limit, offset)
  }
}

extension ObjectContext {
  /// The first object that a request selects; nil if there is none.
  ///
  /// The request is not changed; its limit does not count, its offset does.
  /// - Throws: As `fetch(_:)`.
  /// - Complexity: One statement with `LIMIT 1`; with pending changes one more.
  public func fetchFirst<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> Object? {
    var request = request
    request.limit = 1
    return try fetch(request).first
  }
}
