public import CauldronGraph
import CauldronModel

extension ManagedEntity {
  /// How many objects a condition selects, unsaved changes of the context's chain included.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows). No row is read
  ///   where nothing is pending.
  public static func count(
    where condition: Where<Self>? = nil, in context: some ObjectContext
  ) throws -> Int {
    try context.count(for: request(where: condition))
  }

  /// How many objects a condition in the builder's form selects.
  /// - Throws: As ``count(where:in:)-(Where<Self>?,_)``.
  public static func count(
    where condition: (QueryPath<Self, Self>) -> Where<Self>, in context: some ObjectContext
  ) throws -> Int {
    try context.count(for: request(where: condition(.root)))
  }

  /// Whether a condition selects an object; without one, whether there is any.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement that stops at the first row; with pending changes one more.
  public static func hasAny(
    where condition: Where<Self>? = nil, in context: some ObjectContext
  ) throws -> Bool {
    try context.count(for: request(where: condition, limit: 1)) > 0
  }
}

extension ManagedEntity {
  /// Marks the objects deleted that a condition selects: as unsaved changes of the context, with the
  /// delete rules and hooks of each, as if `delete()` were called one by one.
  ///
  /// ```swift
  /// try Person.deleteAll(where: \.age > 99, in: context)
  /// ```
  /// - Parameters:
  ///   - condition: Which objects, those of subentities included; nil for all.
  ///   - context: Whose objects; unsaved changes of its chain decide which are found.
  /// - Returns: How many objects were found and marked; those that delete rules add are not counted.
  /// - Throws: `query.…`, `store.…`; then nothing is marked.
  /// - Complexity: One statement, and O(found objects), which are all in memory until the save.
  @discardableResult
  public static func deleteAll(
    where condition: Where<Self>?, in context: some ObjectContext
  ) throws -> Int {
    let found = try context.fetch(request(where: condition))
    for object in found { object.delete() }
    return found.count
  }

  /// Marks the objects deleted that a condition in the builder's form selects, or a truth value.
  ///
  /// ```swift
  /// try Person.deleteAll(where: \.isOld, in: context)
  /// try Person.deleteAll(where: { $0.employer.name == "Acme" }, in: context)
  /// ```
  /// - Returns: How many objects were found and marked.
  /// - Throws: `query.…`, `store.…`; then nothing is marked.
  @discardableResult
  public static func deleteAll(
    where condition: (QueryPath<Self, Self>) -> Where<Self>, in context: some ObjectContext
  ) throws -> Int {
    try deleteAll(where: condition(.root), in: context)
  }
}

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// How many objects a condition selects, in the default context.
  @MainActor
  public static func count(where condition: Where<Self>? = nil) throws -> Int {
    try count(where: condition, in: ManagedObjectContext.default)
  }

  /// How many objects a condition in the builder's form selects, in the default context.
  @MainActor
  public static func count(where condition: (QueryPath<Self, Self>) -> Where<Self>) throws -> Int {
    try count(where: condition(.root), in: ManagedObjectContext.default)
  }

  /// Whether a condition selects an object of the default context; without one, whether there is any.
  @MainActor
  public static func hasAny(where condition: Where<Self>? = nil) throws -> Bool {
    try hasAny(where: condition, in: ManagedObjectContext.default)
  }

  /// Marks the objects deleted that a condition selects, in the default context.
  @MainActor @discardableResult
  public static func deleteAll(where condition: Where<Self>?) throws -> Int {
    try deleteAll(where: condition, in: ManagedObjectContext.default)
  }

  /// Marks the objects deleted that a condition in the builder's form selects, in the default context.
  @MainActor @discardableResult
  public static func deleteAll(where condition: (QueryPath<Self, Self>) -> Where<Self>) throws
    -> Int
  {
    try deleteAll(where: condition(.root), in: ManagedObjectContext.default)
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
