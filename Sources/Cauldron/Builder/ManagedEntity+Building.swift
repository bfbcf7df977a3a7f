public import CauldronGraph
import CauldronModel

extension ManagedEntity {
  /// What `$0` is in the builder's form of a condition or an order.
  public typealias QueryRoot = QueryPath<Self, Self>

  /// The objects that a condition selects, in the order of a value; both may reach through
  /// relationships.
  ///
  /// ```swift
  /// try Person.findAll(
  ///   where: { $0.employer.name == "Acme" && $0.skills.any { $0.level >= 3 } },
  ///   sortedBy: { $0.employer.name }, in: context)
  /// // SELECT … FROM ZPERSON WHERE ZEMPLOYER IN (SELECT Z_PK FROM ZCOMPANY AS t1 WHERE ZNAME = 'Acme')
  /// //   AND Z_PK IN (SELECT ZPERSON FROM ZSKILL AS t1 WHERE ZLEVEL >= 3) ORDER BY …
  /// ```
  /// - Parameters:
  ///   - condition: Which objects.
  ///   - order: The value to sort by, or one with its direction and options.
  ///   - limit: The most objects to return; nil for all.
  ///   - offset: How many objects to leave out at the start.
  ///   - context: The context to look in.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement; where a changed object of one of the entities is pending, a few
  ///   more for each relationship, and O(rows that lead to pending ones).
  public static func findAll(
    where condition: (QueryRoot) -> Where<Self>,
    sortedBy order: (QueryRoot) -> some SortValue<Self>, limit: Int? = nil, offset: Int = 0,
    in context: some ObjectContext
  ) throws -> [Self] {
    let order = [order(QueryRoot.root).sortTerm]
    return try context.fetch(
      request(where: condition(QueryRoot.root), sortedBy: order, limit: limit, offset: offset))
  }

  /// The objects that a condition selects, sorted by several values or not at all.
  public static func findAll(
    where condition: (QueryRoot) -> Where<Self>, sortedBy order: [SortTerm<Self>] = [],
    limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    try context.fetch(
      request(where: condition(QueryRoot.root), sortedBy: order, limit: limit, offset: offset))
  }

  /// The objects that a condition selects, all by default, in the order of a value that may reach
  /// through relationships.
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy order: (QueryRoot) -> some SortValue<Self>,
    limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    let order = [order(QueryRoot.root).sortTerm]
    return try context.fetch(
      request(where: condition, sortedBy: order, limit: limit, offset: offset))
  }

  /// The first object that a condition selects, in the order of a value; nil if there is none.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement with `LIMIT 1`.
  public static func findFirst(
    where condition: (QueryRoot) -> Where<Self>,
    sortedBy order: (QueryRoot) -> some SortValue<Self>, in context: some ObjectContext
  ) throws -> Self? {
    let order = [order(QueryRoot.root).sortTerm]
    return try context.fetch(
      request(where: condition(QueryRoot.root), sortedBy: order, limit: 1, offset: 0)
    ).first
  }

  /// The first object that a condition selects, in the order of several values or in none.
  public static func findFirst(
    where condition: (QueryRoot) -> Where<Self>, sortedBy order: [SortTerm<Self>] = [],
    in context: some ObjectContext
  ) throws -> Self? {
    try context.fetch(
      request(where: condition(QueryRoot.root), sortedBy: order, limit: 1, offset: 0)
    ).first
  }

  /// How many objects a condition selects, unsaved changes of the context's chain included.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: As `findAll(where:sortedBy:limit:offset:in:)`; no row is read where nothing is
  ///   pending.
  public static func count(
    where condition: (QueryRoot) -> Where<Self>, in context: some ObjectContext
  ) throws -> Int {
    try context.count(for: request(where: condition(QueryRoot.root)))
  }
}

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// The objects that a condition selects, in the order of a value, in the default context.
  @MainActor
  public static func findAll(
    where condition: (QueryRoot) -> Where<Self>,
    sortedBy order: (QueryRoot) -> some SortValue<Self>, limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    try findAll(
      where: condition, sortedBy: order, limit: limit, offset: offset,
      in: ManagedObjectContext.default)
  }

  /// The objects that a condition selects, sorted by several values or not at all, in the default
  /// context.
  @MainActor
  public static func findAll(
    where condition: (QueryRoot) -> Where<Self>, sortedBy order: [SortTerm<Self>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    try findAll(
      where: condition, sortedBy: order, limit: limit, offset: offset,
      in: ManagedObjectContext.default)
  }

  /// The objects that a condition selects, all by default, in the order of a value, in the default
  /// context.
  @MainActor
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy order: (QueryRoot) -> some SortValue<Self>,
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    try findAll(
      where: condition, sortedBy: order, limit: limit, offset: offset,
      in: ManagedObjectContext.default)
  }

  /// The first object that a condition selects, in the order of a value, in the default context.
  @MainActor
  public static func findFirst(
    where condition: (QueryRoot) -> Where<Self>,
    sortedBy order: (QueryRoot) -> some SortValue<Self>
  ) throws -> Self? {
    try findFirst(where: condition, sortedBy: order, in: ManagedObjectContext.default)
  }

  /// The first object that a condition selects, in the order of several values or in none, in the
  /// default context.
  @MainActor
  public static func findFirst(
    where condition: (QueryRoot) -> Where<Self>, sortedBy order: [SortTerm<Self>] = []
  ) throws -> Self? {
    try findFirst(where: condition, sortedBy: order, in: ManagedObjectContext.default)
  }

  /// How many objects a condition selects, in the default context.
  @MainActor
  public static func count(where condition: (QueryRoot) -> Where<Self>) throws -> Int {
    try count(where: condition, in: ManagedObjectContext.default)
  }
}

extension ManagedEntity {
  /// Marks the objects deleted that a condition in the builder's form selects, or a truth value; see
  /// `deleteAll(where:in:)`.
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

extension Where {
  /// A condition in the builder's form, which reaches through relationships.
  ///
  /// ```swift
  /// let atAcme = Where<Person> { $0.employer.name == "Acme" }
  /// ```
  public init(_ build: (QueryPath<Object, Object>) -> Where<Object>) {
    self = build(QueryPath<Object, Object>.root)
  }

  /// Holds where a condition is true, or where it is not.
  public static func == (a: Where, isTrue: Bool) -> Where { isTrue ? a : !a }

  /// Holds where a condition is not true, or where it is.
  public static func != (a: Where, isTrue: Bool) -> Where { isTrue ? !a : a }
}
