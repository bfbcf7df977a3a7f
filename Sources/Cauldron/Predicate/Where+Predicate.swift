public import CauldronGraph
import CauldronModel
import CauldronQuery
public import Foundation

extension Where {
  /// A condition that is written as a Foundation predicate.
  ///
  /// ```swift
  /// let atAcme = try Where<Person>(#Predicate { $0.employer?.name == "Acme" && $0.age >= 18 })
  /// ```
  /// It means what the same condition means here: text is compared byte by byte, and what is nil is like
  /// anything else, where Foundation's evaluation would throw. Other objects are compared by their IDs:
  /// `$0.employer?.objectID == id`.
  /// - Throws: `query.unsupported` for what a store cannot be asked, with the form that can.
  /// - Complexity: O(parts of the predicate).
  public init(_ predicate: Predicate<Object>) throws {
    let reader = PredicateReader(entity: Object._entityName)
      .binding(predicate.variable.key, to: .object(PropertyPath(steps: [])))
    self.init(try reader.condition(predicate.expression))
  }
}

extension ObjectQuery {
  /// Only those for which a Foundation predicate holds, too.
  /// - Throws: `query.unsupported` for what a store cannot be asked.
  public func `where`(_ predicate: Predicate<Object>) throws -> ObjectQuery {
    self.where(try Where(predicate))
  }
}

extension ManagedEntity {
  /// The objects for which a Foundation predicate holds.
  ///
  /// ```swift
  /// let jack = try await Person.where(#Predicate { $0.name == "jack" }).first()
  /// ```
  /// - Throws: `query.unsupported` for what a store cannot be asked.
  public static func `where`(_ predicate: Predicate<Self>) throws -> ObjectQuery<Self> {
    try ObjectQuery().where(predicate)
  }
}

extension ManagedEntity {
  /// The objects for which a Foundation predicate holds, sorted by an attribute.
  ///
  /// ```swift
  /// try Person.findAll(where: #Predicate { $0.age >= 18 }, sortedBy: \.name, in: context)
  /// ```
  /// - Throws: `query.…`, also for what a store cannot be asked; `store.…`.
  /// - Complexity: As that of the same condition in another form.
  public static func findAll(
    where predicate: Predicate<Self>, sortedBy path: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    try findAll(
      where: Where(predicate), sortedBy: path, ascending: ascending, limit: limit, offset: offset,
      in: context)
  }

  /// The objects for which a Foundation predicate holds, sorted by several attributes or not at all.
  public static func findAll(
    where predicate: Predicate<Self>, sortedBy order: [SortTerm<Self>] = [],
    limit: Int? = nil, offset: Int = 0, in context: some ObjectContext
  ) throws -> [Self] {
    try findAll(
      where: Where(predicate), sortedBy: order, limit: limit, offset: offset, in: context)
  }

  /// The first object for which a Foundation predicate holds, in some order or in none.
  public static func findFirst(
    where predicate: Predicate<Self>, sortedBy order: [SortTerm<Self>] = [],
    in context: some ObjectContext
  ) throws -> Self? {
    try findFirst(where: Where(predicate), sortedBy: order, in: context)
  }

  /// For how many objects a Foundation predicate holds.
  public static func count(
    where predicate: Predicate<Self>, in context: some ObjectContext
  ) throws -> Int {
    try count(where: Where(predicate), in: context)
  }
}

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// The objects for which a Foundation predicate holds, sorted by an attribute, in the default context.
  @MainActor
  public static func findAll(
    where predicate: Predicate<Self>, sortedBy path: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    try findAll(
      where: predicate, sortedBy: path, ascending: ascending, limit: limit, offset: offset,
      in: ManagedObjectContext.default)
  }

  /// The objects for which a Foundation predicate holds, in the default context.
  @MainActor
  public static func findAll(
    where predicate: Predicate<Self>, sortedBy order: [SortTerm<Self>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    try findAll(
      where: predicate, sortedBy: order, limit: limit, offset: offset,
      in: ManagedObjectContext.default)
  }

  /// The first object for which a Foundation predicate holds, in the default context.
  @MainActor
  public static func findFirst(
    where predicate: Predicate<Self>, sortedBy order: [SortTerm<Self>] = []
  ) throws -> Self? {
    try findFirst(where: predicate, sortedBy: order, in: ManagedObjectContext.default)
  }

  /// For how many objects a Foundation predicate holds, in the default context.
  @MainActor
  public static func count(where predicate: Predicate<Self>) throws -> Int {
    try count(where: predicate, in: ManagedObjectContext.default)
  }
}
