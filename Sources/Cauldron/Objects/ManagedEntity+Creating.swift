public import CauldronGraph
public import CauldronModel

extension ManagedEntity {
  /// Creates an object in a context, with the defaults of its entity.
  ///
  /// - Complexity: No statement, as long as the keys that the context has reserved last.
  public static func create(in context: ManagedObjectContext) -> Self {
    context.insertNewObject(Self.self)
  }

  /// Creates an object in the context of the running block.
  public static func create(in context: LocalContext) -> Self {
    context.insertNewObject(Self.self)
  }

  /// Creates an object in the default context.
  @MainActor
  public static func create() -> Self { create(in: .default) }

  /// Makes a private context whose saves go to `parent`.
  public static func contextWithParent(_ parent: ManagedObjectContext) -> ManagedObjectContext {
    .contextWithParent(parent)
  }
}

extension ManagedObject {
  /// Saves the object's context, and its ancestors up to the store; see
  /// ``ManagedObjectContext/save(toPersistentStore:mergePolicy:file:line:completion:)``.
  ///
  /// Does nothing but call the completion with `(false, nil)` where the context is gone.
  public final func save(
    toPersistentStore: Bool, mergePolicy: MergePolicy? = nil, file: String = #fileID,
    line: Int = #line,
    completion: (@Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void)?
  ) {
    guard let context = managedObjectContext else {
      completion?(false, nil)
      return
    }
    context.save(
      toPersistentStore: toPersistentStore, mergePolicy: mergePolicy, file: file, line: line,
      completion: completion)
  }
  /// Saves the object's context, and its ancestors up to the store; see
  /// ``ManagedObjectContext/save(toPersistentStore:mergePolicy:file:line:)``.
  ///
  /// ```swift
  /// try await person.save(toPersistentStore: true)
  /// ```
  /// - Returns: What was saved, once it is on disk; no changes where the context is gone.
  /// - Throws: As the context's form.
  @discardableResult
  public final nonisolated(nonsending) func save(
    toPersistentStore: Bool, mergePolicy: MergePolicy? = nil, file: String = #fileID,
    line: Int = #line
  ) async throws -> SaveOutcome {
    guard let context = managedObjectContext else { return .noChanges }
    return try await context.save(
      toPersistentStore: toPersistentStore, mergePolicy: mergePolicy, file: file, line: line)
  }
}

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
    try ManagedObjectContext.default.fetch(
      request(where: condition, sortedBy: order, limit: limit, offset: offset))
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
    try ManagedObjectContext.default.fetch(
      request(where: condition, sortedBy: order, limit: 1, offset: 0)
    ).first
  }

  /// How many objects a condition selects, in the default context.
  @MainActor
  public static func count(where condition: Where<Self>? = nil) throws -> Int {
    try ManagedObjectContext.default.count(for: request(where: condition))
  }

  /// The object with an ID, in the default context.
  @MainActor
  public static func find(_ id: ManagedObjectID) throws -> Self? {
    try find(id, in: ManagedObjectContext.default)
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
    let found = try findAll(where: condition, in: context)
    for object in found { object.delete() }
    return found.count
  }

  /// Marks all objects of the entity and of its subentities deleted; see `deleteAll(where:in:)`.
  ///
  /// ```swift
  /// try Person.truncateAll(in: context)
  /// ```
  /// - Returns: How many objects were marked.
  /// - Throws: `store.…`.
  @discardableResult
  public static func truncateAll(in context: some ObjectContext) throws -> Int {
    try deleteAll(where: nil, in: context)
  }

  /// Marks the objects deleted that a condition selects, in the default context.
  @MainActor @discardableResult
  public static func deleteAll(where condition: Where<Self>?) throws -> Int {
    try deleteAll(where: condition, in: ManagedObjectContext.default)
  }

  /// Marks all objects of the entity and of its subentities deleted, in the default context.
  @MainActor @discardableResult
  public static func truncateAll() throws -> Int {
    try truncateAll(in: ManagedObjectContext.default)
  }
}

extension ManagedObject {
  /// Marks the object deleted in another context; this one does not learn of it before it is saved.
  ///
  /// - Returns: Whether that context has the object: false where it does not exist there, because
  ///   nobody has saved it, or because it is deleted.
  /// - Throws: `store.…`.
  /// - Complexity: One statement for an object that neither context nor cache knows.
  @discardableResult
  public final func delete(in context: some ObjectContext) throws -> Bool {
    do {
      try context.existingObject(with: objectID).delete()
      return true
    } catch let error as CauldronError where error.code == .objectNotFound {
      return false
    }
  }
}

extension ManagedEntity {
  /// How many objects a condition selects, unsaved changes of the context's chain included.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public static func count(
    where condition: Where<Self>? = nil, in context: some ObjectContext
  ) throws -> Int {
    try context.count(for: request(where: condition))
  }

  /// The object with an ID; nil if it does not exist, or is of another entity.
  /// - Throws: `store.…`.
  /// - Complexity: One statement for an object that neither context nor cache knows.
  public static func find(_ id: ManagedObjectID, in context: some ObjectContext) throws -> Self? {
    do {
      return try context.existingObject(with: id) as? Self
    } catch let error as CauldronError where error.code == .objectNotFound {
      return nil
    }
  }
}
