public import CauldronGraph
public import CauldronModel
public import CauldronSave

extension ManagedEntity {
  /// Creates an object in a context, with the defaults of its entity.
  ///
  /// - Complexity: No statement, as long as the keys that the context has reserved last.
  public static func create(in context: some ObjectContext) -> Self {
    context.managedObjectContext.insertNewObject(Self.self)
  }

  /// Creates an object in the default context.
  @MainActor
  public static func create() -> Self { create(in: ManagedObjectContext.default) }
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
  /// The name of the class's entity.
  public static var entityName: String { _entityName }

  /// The description of the class's entity, as the model of a context has it.
  /// - Throws: `model.unknownEntity` where the model has not the class.
  public static func entityDescription(
    in context: some ObjectContext
  ) throws -> EntityDescription {
    try entityLayout(in: context).description
  }

  package static func entityLayout(in context: some ObjectContext) throws -> EntityLayout {
    let model = context.managedObjectContext.persistentStoreCoordinator.managedObjectModel
    if let layout = model.layout(named: _entityName) { return layout }
    throw CauldronError(
      .modelUnknownEntity, "No entity \"\(_entityName)\" in model \"\(model.name)\".",
      hint: Suggestion.hint(for: _entityName, among: model.entityLayouts.map(\.name)))
  }
}
