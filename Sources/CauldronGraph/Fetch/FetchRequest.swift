public import CauldronModel

/// What to fetch: an entity, a condition, an order, and a window.
///
/// ```swift
/// var request = FetchRequest<Person>()
/// request.predicate = .comparison(key: "age", .greaterOrEqual, .integer(18))
/// request.sortKeys = [SortKey("name")]
/// let adults = try context.fetch(request)
/// ```
public struct FetchRequest<Object: ManagedObject>: Sendable, Hashable {
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

  /// Whether unsaved changes of the context and its ancestors decide which objects are found; true by
  /// default. Where not, what is committed decides; the objects show their unsaved values all the
  /// same.
  public var includesPendingChanges = true

  /// Requests all objects of the class's entity, or of the entity with a name.
  public init(entityName: String? = nil) { self.entityName = entityName }
}

/// What to sort by.
public struct SortKey: Sendable, Hashable {
  /// The value: an attribute, one behind to-one relationships, or any other expression.
  public var expression: QueryExpression
  /// Whether the smallest value comes first; nil counts as smaller than all.
  public var ascending: Bool
  /// What is left out of account where the values are texts.
  public var options: TextOptions

  /// Sorts by an attribute, such as `name`, or by one of what to-one relationships lead to, such as
  /// `employer.name`; in ascending order unless told otherwise.
  public init(_ key: String, ascending: Bool = true, _ options: TextOptions = []) {
    self.init(.property(PropertyPath(key)), ascending: ascending, options)
  }

  /// Sorts by an expression.
  public init(_ expression: QueryExpression, ascending: Bool = true, _ options: TextOptions = []) {
    self.expression = expression
    self.ascending = ascending
    self.options = options
  }

  /// The key as text, such as `employer.name`.
  public var key: String {
    if case .property(let path) = expression { path.text } else { expression.description }
  }

  func bound(to entity: EntityLayout, _ storeNumber: Int32) throws -> StoreQuery.SortKey {
    let value = try expression.sortable(in: entity, storeNumber, options)
    return StoreQuery.SortKey(value, ascending: ascending)
  }
}
