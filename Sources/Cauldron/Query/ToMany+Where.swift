public import CauldronGraph
import CauldronModel

extension ToMany where Object: ManagedEntity {
  /// Those of the objects that a condition selects, read by the store, unsaved changes included.
  ///
  /// ```swift
  /// for item in try project.items.where(\.priority >= 3, sortedBy: \.title) { … }
  /// // SELECT … FROM ZITEM WHERE ZPROJECT = 7 AND ZPRIORITY >= 3 ORDER BY ZTITLE, Z_PK
  /// ```
  /// - Parameters:
  ///   - condition: Which objects.
  ///   - path: The attribute to sort by; nil values come first when ascending.
  ///   - ascending: Whether the smallest value comes first; true by default.
  ///   - limit: The most objects to return; nil for all.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: As `findAll(where:sortedBy:in:)`; where the relationship is many-to-many, one
  ///   statement more at its first use, for the links.
  public func `where`(
    _ condition: Where<Object>, sortedBy path: PartialKeyPath<Object>, ascending: Bool = true,
    limit: Int? = nil
  ) throws -> [Object] {
    try selection.fetch(condition, [SortTerm(path, ascending: ascending)], limit)
  }

  /// Those of the objects that a condition selects, sorted by several attributes or not at all.
  public func `where`(
    _ condition: Where<Object>, sortedBy order: [SortTerm<Object>] = [], limit: Int? = nil
  ) throws -> [Object] {
    try selection.fetch(condition, order, limit)
  }

  /// All objects, sorted by the store.
  ///
  /// ```swift
  /// let items = try project.items.sorted(by: \.title)
  /// ```
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: As ``where(_:sortedBy:ascending:limit:)``.
  public func sorted(
    by path: PartialKeyPath<Object>, ascending: Bool = true, limit: Int? = nil
  ) throws -> [Object] {
    try selection.fetch(nil, [SortTerm(path, ascending: ascending)], limit)
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
    let found = Set(try selection.fetch(condition, [], nil))
    return objects.filter(found.contains)
  }
}

extension ToManySelection {
  fileprivate func fetch<Object: ManagedEntity>(
    _ condition: Where<Object>?, _ order: [SortTerm<Object>], _ limit: Int?
  ) throws -> [Object] {
    guard let context else { return [] }
    let node = condition.map { PredicateNode.and([self.node, $0.node]) } ?? self.node
    return try context.fetch(Object.request(Where(node), order, limit))
  }
}
