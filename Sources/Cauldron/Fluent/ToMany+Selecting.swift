public import CauldronGraph
import CauldronModel
import CauldronQuery

extension ToMany where Object: ManagedEntity {
  /// Those of the objects that a condition selects, read by the store, unsaved changes included.
  ///
  /// ```swift
  /// for item in try project.items.where(\.priority >= 3, sortedBy: \.title) { … }
  /// // SELECT … FROM ZITEM WHERE ZPROJECT = 7 AND ZPRIORITY >= 3 ORDER BY ZTITLE, Z_PK
  /// ```
  /// - Parameters:
  ///   - condition: Which objects.
  ///   - order: The values to sort by; by default there is no order.
  ///   - ascending: The direction of values that name none; true by default.
  ///   - limit: The most objects to return; nil for all.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: As `findAll(where:sortedBy:in:)`; where the relationship is many-to-many, one
  ///   statement more at its first use, for the links.
  public func `where`(
    _ condition: Where<Object>,
    sortedBy order: ((QueryPath<Object, Object>) -> any SortValue<Object>)...,
    ascending: Bool = true, limit: Int? = nil
  ) throws -> [Object] {
    let keys = Object.keys(of: order, ascending: ascending)
    return try selection.fetch(where: condition, sortedBy: keys, limit: limit)
  }

  /// All objects, sorted by the store.
  ///
  /// ```swift
  /// let items = try project.items.sorted(by: \.title)
  /// ```
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: As ``where(_:sortedBy:ascending:limit:)``.
  public func sorted(
    by order: ((QueryPath<Object, Object>) -> any SortValue<Object>)..., ascending: Bool = true,
    limit: Int? = nil
  ) throws -> [Object] {
    let keys = Object.keys(of: order, ascending: ascending)
    return try selection.fetch(where: nil, sortedBy: keys, limit: limit)
  }
}

extension OrderedToMany where Object: ManagedEntity {
  /// Those of the objects that a condition selects, in the order of the relationship; read by the
  /// store, unsaved changes included.
  ///
  /// ```swift
  /// let open = try item.parts.where(\.isDone == false)
  /// ```
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: As `findAll(where:in:)`, and the walk of the relationship.
  public func `where`(_ condition: Where<Object>) throws -> [Object] {
    let found = Set(try selection.fetch(where: condition, sortedBy: [], limit: nil))
    return objects.filter(found.contains)
  }
}

extension ToManySelection {
  fileprivate func fetch<Object: ManagedEntity>(
    where condition: Where<Object>?, sortedBy keys: [SortKey], limit: Int?
  ) throws -> [Object] {
    guard let context else { return [] }
    let node = condition.map { PredicateNode.and([self.node, $0.node]) } ?? self.node
    return try context.fetch(Object.request(where: Where(node), sortedBy: keys, limit: limit))
  }
}
