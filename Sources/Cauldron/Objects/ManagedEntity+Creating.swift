public import CauldronGraph

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
