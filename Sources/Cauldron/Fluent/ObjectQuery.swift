public import CauldronGraph
public import CauldronModel
public import CauldronQuery

/// Which objects, in which order and window: a value that can be kept, handed to other tasks, made
/// narrower, and asked in any context.
///
/// ```swift
/// let adults = Person.where(\.age >= 18).sorted(by: \.name).limit(20)
/// try adults.fetch(in: context)
/// try adults.count(in: context)
/// try await adults.fetch()
/// ```
/// The calls with `in:` work where the context is. Those without are asynchronous and for the main
/// actor: they read in the background what the default context sees, and hand it over.
public struct ObjectQuery<Object: ManagedEntity>: Sendable, Hashable {
  /// The same as a request, which can be changed.
  public var request: FetchRequest<Object>

  /// Asks what a request asks; by default for all objects of the class.
  public init(_ request: FetchRequest<Object> = FetchRequest()) { self.request = request }

  /// Only those for which a condition holds, too.
  public func `where`(_ condition: Where<Object>) -> ObjectQuery {
    changed { $0.predicate = $0.predicate.map { .and([$0, condition.node]) } ?? condition.node }
  }

  /// Only those for which a condition in the builder's form holds, too.
  public func `where`(_ condition: (QueryPath<Object, Object>) -> Where<Object>) -> ObjectQuery {
    self.where(condition(.root))
  }

  /// In the order of values that may reach through relationships, where the order so far leaves it open.
  ///
  /// ```swift
  /// Person.where(\.isActive).sorted(by: \.employer.name, \.age.descending)
  /// Person.where(\.isActive).sorted(by: { $0.name.ascending(.localizedStandard) })
  /// ```
  /// - Parameters:
  ///   - order: The values to sort by; nil counts as smaller than all.
  ///   - ascending: The direction of values that name none: whether the smallest comes first, as it
  ///     does by default.
  public func sorted(
    by order: ((QueryPath<Object, Object>) -> any SortValue<Object>)..., ascending: Bool = true
  ) -> ObjectQuery {
    sorted(by: Object.keys(of: order, ascending: ascending))
  }

  /// In the order of sort keys, such as those that a user has chosen, where the order so far leaves it
  /// open.
  ///
  /// ```swift
  /// Person.where(\.isActive).sorted(by: [SortKey("name"), SortKey("age", ascending: false)])
  /// ```
  public func sorted(by keys: [SortKey]) -> ObjectQuery { changed { $0.sortKeys += keys } }

  /// The first ones alone. A negative number is refused by the fetch.
  public func limit(_ most: Int) -> ObjectQuery { changed { $0.limit = most } }

  /// Without the first ones. A negative number is refused by the fetch.
  public func offset(_ count: Int) -> ObjectQuery { changed { $0.offset = count } }

  /// Whether objects of subentities belong to it; they do by default.
  public func includingSubentities(_ includes: Bool) -> ObjectQuery {
    changed { $0.includesSubentities = includes }
  }

  /// Whether unsaved changes decide, too; they do by default.
  public func includingPendingChanges(_ includes: Bool) -> ObjectQuery {
    changed { $0.includesPendingChanges = includes }
  }

  /// Whether registered objects without unsaved changes show the newest values, too; they do not by
  /// default.
  public func refreshingRefetchedObjects(_ refreshes: Bool) -> ObjectQuery {
    changed { $0.shouldRefreshRefetchedObjects = refreshes }
  }

  func changed(_ change: (inout FetchRequest<Object>) -> Void) -> ObjectQuery {
    var copy = self
    change(&copy.request)
    return copy
  }
}

extension ManagedEntity {
  /// The objects for which a condition holds, to be fetched, counted or narrowed.
  ///
  /// ```swift
  /// let adults = Person.where(\.age >= 18).sorted(by: \.name).limit(20)
  /// ```
  public static func `where`(_ condition: Where<Self>) -> ObjectQuery<Self> {
    ObjectQuery().where(condition)
  }

  /// The objects for which a condition in the builder's form holds.
  public static func `where`(
    _ condition: (QueryPath<Self, Self>) -> Where<Self>
  ) -> ObjectQuery<Self> { ObjectQuery().where(condition) }
}

extension ManagedEntity {
  /// A query for the objects that a format string selects: a value, as `where` makes one.
  ///
  /// ```swift
  /// let adults = try await Person.matching("age >= %@", 18).sorted(by: \.name).fetch()
  /// ```
  /// - Throws: `query.…`, with a position where the format cannot be read.
  public static func matching(
    _ format: String, _ arguments: Any?...
  ) throws -> ObjectQuery<Self> {
    ObjectQuery().where(try Where(format: format, arguments: arguments))
  }
}

extension ObjectQuery {
  /// The objects, unsaved changes of the context's chain included.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: As `findAll(where:sortedBy:in:)`.
  public func fetch(in context: some ObjectContext) throws -> [Object] {
    try context.fetch(request)
  }

  /// The first object; nil if there is none.
  /// - Throws: As ``fetch(in:)``.
  /// - Complexity: One statement with `LIMIT 1`.
  public func first(in context: some ObjectContext) throws -> Object? {
    try context.fetch(limited(1)).first
  }

  /// How many objects there are, in the window.
  /// - Throws: As ``fetch(in:)``.
  public func count(in context: some ObjectContext) throws -> Int {
    try context.count(for: request)
  }

  /// Whether there is an object.
  /// - Throws: As ``fetch(in:)``.
  public func exists(in context: some ObjectContext) throws -> Bool {
    try context.count(for: limited(1)) > 0
  }

  /// The objects, whose rows are read a batch of at least one at a time when one of it is asked for.
  /// - Throws: As ``fetch(in:)``.
  /// - Complexity: One statement that reads no attribute, and one for each batch that is asked for.
  public func batches(
    of size: Int = 100, in context: some ObjectContext
  ) throws -> FetchedBatches<Object> {
    var request = request
    request.fetchBatchSize = size
    return try context.managedObjectContext.fetchBatches(request)
  }

  /// The IDs of the objects, in their order; no attribute is read.
  /// - Throws: As ``fetch(in:)``.
  public func fetchIDs(in context: some ObjectContext) throws -> [ManagedObjectID] {
    try context.fetchObjectIDs(request)
  }

  private func limited(_ most: Int) -> FetchRequest<Object> {
    var request = request
    request.limit = Swift.min(most, request.limit ?? most)
    return request
  }
}

extension ObjectQuery {
  /// The objects in the default context; they are read in the background, with its unsaved changes.
  ///
  /// ```swift
  /// let adults = try await Person.where(\.age >= 18).fetch()
  /// ```
  /// Objects that the default context deletes or rolls back meanwhile are left out. Prefetched
  /// objects are read in the background, too, but not the keys of to-many relationships.
  /// - Throws: As ``fetch(in:)``.
  @MainActor
  public func fetch(
    file: String = #fileID, line: Int = #line
  ) async throws -> [Object] {
    let place = "\(file):\(line)"
    let request = request
    let main = ManagedObjectContext.default
    if request.relationshipKeyPathsForPrefetching.isEmpty {
      let result = try await Self.reading(at: place) { try $0.fetchResult(request) }
      return try main.presentObjects(of: result)
    }
    let result = try await Self.reading(at: place) {
      try $0.managedObjectContext.fetchResultAhead(request)
    }
    return try main.presentObjects(of: result, for: request)
  }

  /// The first object in the default context; nil if there is none.
  /// - Throws: As ``fetch(in:)``.
  @MainActor
  public func first(
    file: String = #fileID, line: Int = #line
  ) async throws -> Object? {
    try await ObjectQuery(limited(1)).fetch(file: file, line: line).first
  }

  /// How many objects the default context sees, in the window.
  /// - Throws: As ``fetch(in:)``.
  @MainActor
  public func count(file: String = #fileID, line: Int = #line) async throws -> Int {
    let place = "\(file):\(line)"
    let request = request
    return try await Self.reading(at: place) { try $0.count(for: request) }
  }

  /// Whether the default context sees an object.
  /// - Throws: As ``fetch(in:)``.
  @MainActor
  public func exists(file: String = #fileID, line: Int = #line) async throws -> Bool {
    let place = "\(file):\(line)"
    let request = limited(1)
    return try await Self.reading(at: place) { try $0.count(for: request) > 0 }
  }

  /// Reads in the background what the default context sees.
  @MainActor
  static func reading<Value: Sendable>(
    at place: String? = nil, _ body: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    let main = ManagedObjectContext.default
    // What was just changed belongs to it.
    main.processPendingChanges()
    let reader = ManagedObjectContext(.private, parent: main, name: "Query")
    return try await reader.performCancellably(at: place, body)
  }
}

extension ObjectQuery {
  /// Reads what relationships lead to with the objects, many at once.
  ///
  /// ```swift
  /// let people = try Person.where(\.age >= 18).prefetching(\.employer, \.pets).fetch(in: context)
  /// ```
  /// - Complexity: One statement for each relationship and 512 objects.
  public func prefetching(_ relationships: PartialKeyPath<Object>...) -> ObjectQuery {
    prefetching(relationships.map { KeyPathTable.name(of: $0) })
  }

  /// The same by name, through several relationships where points stand between names, such as
  /// `employer.address`.
  public func prefetching(_ paths: [String]) -> ObjectQuery {
    changed { $0.relationshipKeyPathsForPrefetching += paths }
  }

  /// Whether objects that are not registered come as faults, without their rows; they do not by default.
  public func returningObjectsAsFaults(_ returns: Bool = true) -> ObjectQuery {
    changed { $0.returnsObjectsAsFaults = returns }
  }
}

extension ManagedEntity {
  /// How many objects a to-many relationship leads to, for many owners of the context at once; those that
  /// are deleted, or gone, get no number.
  ///
  /// ```swift
  /// let sizes = try Company.counts(of: \.employees, for: companies, in: context)
  /// ```
  /// - Throws: `query.…` where the key path is no to-many relationship, `store.…`.
  /// - Complexity: One statement for each entity that owners are of; with pending changes the rows are
  ///   read.
  public static func counts(
    of relationship: PartialKeyPath<Self>, for owners: [Self], in context: some ObjectContext
  ) throws -> [ManagedObjectID: Int] {
    try context.managedObjectContext.counts(of: KeyPathTable.name(of: relationship), for: owners)
  }
}

extension ObjectQuery {
  /// The object with the smallest value of an attribute; nil where there is no object. One without a
  /// value comes last. The order of the query decides about its window alone.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement with `LIMIT 1`, and one for the window if there is one.
  public func min(
    by path: PartialKeyPath<Object>, in context: some ObjectContext
  ) throws -> Object? {
    let expression = QueryExpression.property(KeyPathTable.path(of: path))
    let isNil = QueryExpression.conditional(
      .comparison(expression, .equal, .value(.null), []), .value(.integer(1)),
      .value(.integer(0)))
    return try first(by: [SortKey(isNil), SortKey(expression)], context)
  }

  /// The object with the largest value of an attribute; nil where there is no object. The order of
  /// the query decides about its window alone.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: As ``min(by:in:)``.
  public func max(
    by path: PartialKeyPath<Object>, in context: some ObjectContext
  ) throws -> Object? {
    let expression = QueryExpression.property(KeyPathTable.path(of: path))
    return try first(by: [SortKey(expression, ascending: false)], context)
  }

  private func first(by order: [SortKey], _ context: some ObjectContext) throws -> Object? {
    var query = ObjectQuery(request)
    if request.limit != nil || request.offset != 0 {
      query.request.predicate = .isSelf(try fetchIDs(in: context))
      query.request.limit = nil
      query.request.offset = 0
    }
    query.request.sortKeys = order
    return try query.first(in: context)
  }
}

extension ObjectQuery {
  /// How the store answers the query: its SQL, SQLite's plan, and the index that is missing, in the words
  /// of the class.
  ///
  /// ```swift
  /// print(try Person.where(\.city == "Oslo").explain(in: context))
  /// // SELECT * FROM ZPERSON WHERE ZCITY = ?
  /// // SCAN ZPERSON
  /// // Missing: @Attribute(.indexed) var city in Person, or #Index<Person>([\.city]).
  /// ```
  /// Nothing is read, and unsaved changes are left out of account.
  /// - Throws: `query.…`, `store.…`.
  public func explain(in context: some ObjectContext) throws -> QueryExplanation {
    try context.managedObjectContext.explain(request)
  }

  /// How the default stack's store answers the query; see ``explain(in:)``.
  @MainActor
  public func explain() throws -> QueryExplanation {
    try explain(in: ManagedObjectContext.default)
  }
}
