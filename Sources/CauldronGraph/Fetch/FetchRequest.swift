import CauldronModel
public import CauldronQuery

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
  /// How many rows `fetchBatches(_:)` reads at a time; 0, the default, leaves it to the library, which
  /// reads 100. A plain `fetch(_:)` gives an array, whose objects are read at once whatever it says.
  public var fetchBatchSize = 0
  /// Whether objects of subentities are returned, too; true by default.
  public var includesSubentities = true

  /// Whether unsaved changes of the context and its ancestors decide which objects are found; true by
  /// default. Where not, what is committed decides; the objects show their unsaved values all the
  /// same.
  public var includesPendingChanges = true

  /// Whether registered objects without unsaved changes show the newest values, too, where others have
  /// saved some that this context has not taken in; false by default. Those with unsaved changes stay as
  /// they are.
  public var shouldRefreshRefetchedObjects = false

  /// The relationships that are read with the objects: names with points between them, such as
  /// `employer.address`; none by default.
  ///
  /// Each step costs one statement for each 512 objects, in children, too. What a to-one relationship of
  /// fetched objects leads to is read together anyway, when the first one is used; a prefetch spares
  /// waiting for it then, and reads on behind to-many relationships.
  public var relationshipKeyPathsForPrefetching: [String] = []

  /// Whether objects that are not registered come as faults, without their rows; false by default.
  ///
  /// Then a fetch reads IDs alone, and with the row of the first one that is used those of up to 499
  /// others are read. For many objects of which few are used.
  public var returnsObjectsAsFaults = false

  /// Requests all objects of the class's entity, or of the entity with a name.
  public init(entityName: String? = nil) { self.entityName = entityName }
}

extension PredicateNode {
  /// Whether the condition holds for an object, its unsaved changes included.
  ///
  /// ```swift
  /// let isAdult = try PredicateNode(format: "age >= %@", 18).evaluate(with: person)
  /// ```
  /// It is a fetch of that one object, and means what it means in a request. Of several objects fetch
  /// those for which it holds: `.and([.isSelf(ids), condition])`.
  /// - Returns: False for an object that is deleted, and for one without a context.
  /// - Throws: `query.…` for a condition that its entity cannot have, and what reading throws.
  /// - Complexity: One statement.
  public func evaluate(with object: ManagedObject) throws -> Bool {
    guard let context = object.managedObjectContext else { return false }
    var request = FetchRequest<ManagedObject>(entityName: object.entity.name)
    request.predicate = .and([.isSelf([object.objectID]), self])
    return try context.count(for: request) > 0
  }
}
