public import CauldronGraph

extension Stack {
  /// A private context for work in the background, made as the stack's layout asks: a sibling of
  /// the default context that takes in what others save, or a child of the default context.
  public func newBackgroundContext(name: String = "Background Context") -> ManagedObjectContext {
    guard layout == .siblings else {
      return ManagedObjectContext(.private, parent: defaultContext, name: name)
    }
    let context = ManagedObjectContext(.private, coordinator: coordinator, name: name)
    context.automaticallyMergesChangesFromParent = true
    return context
  }

  /// Runs a block in a private context of its own and saves what it did to the store.
  ///
  /// ```swift
  /// try await Stack.default.save { context in Person.create(in: context).name = "jill" }
  /// ```
  /// The context is a child of the root saving context, so the main queue is not needed; the
  /// default context takes the changes in. If the block throws, nothing is saved.
  /// - Returns: What the block returns, once it is on disk.
  /// - Throws: What the block throws, or as ``ManagedObjectContext/save(mergePolicy:file:line:)``.
  @discardableResult
  public func save<Value: Sendable>(
    mergePolicy: MergePolicy? = nil, file: String = #fileID, line: Int = #line,
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let context = savingContext()
    let run = context.announceSave(mergePolicy, file: file, line: line)
    do {
      let value = try await context.perform { local in try run.run { try block(local) } }
      try Task.checkCancellation()
      _ = try await context.finish(run)
      return value
    } catch {
      run.end()
      throw error
    }
  }

  /// Runs a block in a private context of its own, saves what it did to the store, and calls back
  /// on the main queue, when the default context has taken the changes in.
  public func save(
    mergePolicy: MergePolicy? = nil, file: String = #fileID, line: Int = #line,
    _ block: @escaping @Sendable (LocalContext) -> Void,
    completion: @escaping @Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void
  ) {
    let context = savingContext()
    let run = context.announceSave(mergePolicy, file: file, line: line)
    context.perform { local in
      run.run { block(local) }
      local.context.finish(run, completion)
    }
  }

  /// Runs a block in a private context of its own, saves what it did to the store, and returns.
  ///
  /// On the main queue the default context has taken the changes in at return.
  /// - Throws: What the block throws, or as ``ManagedObjectContext/save(mergePolicy:file:line:)``.
  @available(*, noasync, message: "use 'await save' instead")
  @discardableResult
  public func saveAndWait<Value>(
    mergePolicy: MergePolicy? = nil, file: String = #fileID, line: Int = #line,
    _ block: (LocalContext) throws -> Value
  ) throws -> Value {
    let context = savingContext()
    let value = try context.performAndWait(block)
    try context.saveAndWait(
      toPersistentStore: true, mergePolicy: mergePolicy, file: file, line: line)
    defaultContext.catchUpIfCurrent()
    return value
  }

  private func savingContext() -> ManagedObjectContext {
    ManagedObjectContext(.private, parent: rootSavingContext, name: "Saving Context")
  }
}
