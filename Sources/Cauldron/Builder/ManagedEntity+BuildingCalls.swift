public import CauldronGraph
import CauldronModel

extension ManagedEntity {
  /// Marks the objects deleted that a condition in the builder's form selects, or a truth value; see
  /// ``deleteAll(where:in:)``.
  ///
  /// ```swift
  /// try Person.deleteAll(where: \.isOld, in: context)
  /// try Person.deleteAll(where: { $0.employer.name == "Acme" }, in: context)
  /// ```
  /// - Returns: How many objects were found and marked.
  /// - Throws: `query.…`, `store.…`; then nothing is marked.
  /// - Complexity: One statement, and O(found objects), which are all in memory until the save.
  @discardableResult
  public static func deleteAll(
    where condition: (QueryRoot) -> Where<Self>, in context: some ObjectContext
  ) throws -> Int {
    try deleteAll(where: condition(QueryRoot.root), in: context)
  }

  /// Marks the objects deleted that a condition in the builder's form selects, in the default context.
  @MainActor @discardableResult
  public static func deleteAll(where condition: (QueryRoot) -> Where<Self>) throws -> Int {
    try deleteAll(where: condition(QueryRoot.root))
  }

  /// Whether a condition in the builder's form selects an object.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement that looks for one object.
  public static func hasAny(
    where condition: (QueryRoot) -> Where<Self>, in context: some ObjectContext
  ) throws -> Bool { try hasAny(where: condition(QueryRoot.root), in: context) }

  /// Whether a condition in the builder's form selects an object of the default context.
  @MainActor
  public static func hasAny(where condition: (QueryRoot) -> Where<Self>) throws -> Bool {
    try hasAny(where: condition(QueryRoot.root))
  }

  /// A request for the objects that a condition in the builder's form selects, sorted by several
  /// attributes or not at all.
  public static func fetchRequest(
    where condition: (QueryRoot) -> Where<Self>, sortedBy order: [SortTerm<Self>] = [],
    limit: Int? = nil, offset: Int = 0
  ) -> FetchRequest<Self> {
    fetchRequest(
      where: condition(QueryRoot.root), sortedBy: order, limit: limit, offset: offset)
  }
}
