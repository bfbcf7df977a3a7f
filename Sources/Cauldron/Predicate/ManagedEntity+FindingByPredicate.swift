public import CauldronGraph
import CauldronModel
public import Foundation

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
