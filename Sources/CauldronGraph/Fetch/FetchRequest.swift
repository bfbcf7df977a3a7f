public import CauldronModel

/// What to fetch: an entity, a condition, an order, and a window.
///
/// ```swift
/// var request = FetchRequest<Person>()
/// request.predicate = .comparison(key: "age", .greaterOrEqual, .integer(18))
/// request.sortKeys = [SortKey("name")]
/// let adults = try context.fetch(request)
/// ```
public struct FetchRequest<Object: ManagedObject>: Sendable {
  /// The entity's name; nil for the entity of the class `Object`.
  public var entityName: String?
  /// The condition; nil for all objects.
  public var predicate: PredicateNode?
  /// The order; without one it is undefined.
  public var sortKeys: [SortKey] = []
  /// The most objects to return; nil for all.
  public var limit: Int?
  /// How many objects to leave out at the start.
  public var offset = 0
  /// Whether objects of subentities are returned, too; true by default.
  public var includesSubentities = true

  /// Requests all objects of the class's entity, or of the entity with a name.
  public init(entityName: String? = nil) { self.entityName = entityName }
}

/// A property to sort by.
public struct SortKey: Sendable, Hashable {
  /// The attribute's name.
  public var key: String
  /// Whether the smallest value comes first; nil counts as smaller than all.
  public var ascending: Bool

  /// Sorts by an attribute, in ascending order unless told otherwise.
  public init(_ key: String, ascending: Bool = true) {
    self.key = key
    self.ascending = ascending
  }
}
