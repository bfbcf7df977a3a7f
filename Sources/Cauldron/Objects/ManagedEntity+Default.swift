public import CauldronGraph
public import CauldronModel

// The short forms, on the main actor: they use the default context.

extension ManagedEntity {
  /// The objects that a condition selects, in the default context.
  @MainActor
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy path: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    try findAll(
      where: condition, sortedBy: path, ascending: ascending, limit: limit, offset: offset,
      in: ManagedObjectContext.default)
  }

  /// The objects that a condition selects, in the default context, sorted by several attributes
  /// or not at all.
  @MainActor
  public static func findAll(
    where condition: Where<Self>? = nil, sortedBy order: [SortTerm<Self>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Self] {
    try ManagedObjectContext.default.fetch(request(condition, order, limit, offset))
  }

  /// The first object that a condition selects, in the default context.
  @MainActor
  public static func findFirst(
    where condition: Where<Self>? = nil, sortedBy path: PartialKeyPath<Self>,
    ascending: Bool = true
  ) throws -> Self? {
    try findFirst(
      where: condition, sortedBy: path, ascending: ascending, in: ManagedObjectContext.default)
  }

  /// The first object that a condition selects, in the default context, in the order of several
  /// attributes or in none.
  @MainActor
  public static func findFirst(
    where condition: Where<Self>? = nil, sortedBy order: [SortTerm<Self>] = []
  ) throws -> Self? {
    try ManagedObjectContext.default.fetch(request(condition, order, 1, 0)).first
  }

  /// How many objects a condition selects, in the default context.
  @MainActor
  public static func count(where condition: Where<Self>? = nil) throws -> Int {
    try ManagedObjectContext.default.count(for: request(condition))
  }

  /// The object with an ID, in the default context.
  @MainActor
  public static func find(_ id: ManagedObjectID) throws -> Self? {
    try find(id, in: ManagedObjectContext.default)
  }
}
