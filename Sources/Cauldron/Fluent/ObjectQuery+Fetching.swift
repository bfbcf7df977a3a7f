public import CauldronGraph
public import CauldronModel

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

  /// The objects, whose rows are read a batch at a time when one of the batch is asked for.
  /// - Parameter size: How many objects a batch has, at least one; 100 by default.
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
  /// What the default context deletes or rolls back meanwhile is left out. What the query prefetches is
  /// read in the background, too, but for the statements that tell whom to-many relationships lead to.
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
