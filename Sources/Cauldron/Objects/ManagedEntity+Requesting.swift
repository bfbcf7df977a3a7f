public import CauldronGraph
import CauldronModel
import CauldronQuery

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
  ///   - order: The values to sort by; by default there is no order.
  ///   - ascending: The direction of values that name none; true by default.
  ///   - limit: The most objects to return; nil for all.
  ///   - offset: How many objects to leave out at the start.
  public static func fetchRequest(
    where condition: Where<Self>? = nil,
    sortedBy order: ((QueryPath<Self, Self>) -> any SortValue<Self>)...,
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0
  ) -> FetchRequest<Self> {
    let keys = keys(of: order, ascending: ascending)
    return request(where: condition, sortedBy: keys, limit: limit, offset: offset)
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
