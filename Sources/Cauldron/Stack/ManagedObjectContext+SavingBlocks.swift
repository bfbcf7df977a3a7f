public import CauldronGraph

// Blocks whose context is a child of this one. All of the chain is saved: the context's own changes,
// too, and those of its ancestors.
extension ManagedObjectContext {
  /// Runs a block in a private child of this context, and saves what it did, level by level, to the
  /// store.
  ///
  /// ```swift
  /// try await ManagedObjectContext.default.save { child in Person.create(in: child).name = "jill" }
  /// ```
  /// What this context and its ancestors have not saved goes along. If the block throws, nothing is
  /// saved. `Stack.save(_:)` leaves the main context out, and is mostly what is wanted.
  /// - Parameters:
  ///   - name: What logs and errors call the save; by default the line that asked for it.
  ///   - retries: How often the block is run again where the save ends with `save.conflict` or
  ///     `save.dependency`; 0 by
  ///     default.
  ///   - mergePolicy: What decides about conflicts; nil for the policy of the context that meets them.
  /// - Returns: What the block returns, once it is on disk.
  /// - Throws: What the block throws, or as ``save(mergePolicy:file:line:)``.
  @discardableResult
  public nonisolated(nonsending) func save<Value: Sendable>(
    named name: String? = nil, retries: Int = 0, mergePolicy: MergePolicy? = nil,
    file: String = #fileID, line: Int = #line,
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    defer { catchUpIfCurrent() }
    return try await BlockSave(self, name, mergePolicy, file, line).run(block, retries)
  }

  /// Runs a block in a private child of this context, saves what it did to the store, and calls back
  /// on the main queue.
  /// - Parameter name: What logs and errors call the save; by default the line that asked for it.
  public func save(
    named name: String? = nil, mergePolicy: MergePolicy? = nil, file: String = #fileID,
    line: Int = #line, _ block: @escaping @Sendable (LocalContext) -> Void,
    completion: @escaping @Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void
  ) {
    BlockSave(self, name, mergePolicy, file, line).start(block, completion)
  }

  /// Runs a block in a private child of this context, saves what it did to the store, and returns.
  ///
  /// On this context's queue the block sees what was changed before, and the context has taken the
  /// block's changes in at return.
  /// - Parameters: As in the form with `await`.
  /// - Throws: What the block throws, or as ``save(mergePolicy:file:line:)``.
  @available(*, noasync, message: "use 'await save' instead")
  @discardableResult
  public func saveAndWait<Value>(
    named name: String? = nil, retries: Int = 0, mergePolicy: MergePolicy? = nil,
    file: String = #fileID, line: Int = #line, _ block: (LocalContext) throws -> Value
  ) throws -> Value {
    publishIfCurrent()
    let value = try BlockSave(self, name, mergePolicy, file, line).runAndWait(block, retries)
    catchUpIfCurrent()
    return value
  }
}
