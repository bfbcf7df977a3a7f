public import CauldronGraph
import CauldronModel

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
  /// try await Stack.default.save(retries: 3) { context in
  ///   try Account.find(id, in: context)?.balance += 1000
  /// }
  /// ```
  /// The context is a child of the root saving context, so the main queue is not needed; the
  /// default context takes the changes in, on the main actor before the call returns. If the block throws, nothing is saved; `save()` in it
  /// checks what was done so far, and all is saved together when the block has ended.
  /// - Parameters:
  ///   - name: What logs and errors call the save; by default the line that asked for it.
  ///   - retries: How often the block is run again, each time in a fresh context that shows the
  ///     newest values, where the save ends with `save.conflict` or
  ///     `save.dependency`; 0 by default. So the block must
  ///     read what it computes with, and do nothing else than change objects.
  ///   - mergePolicy: What decides about conflicts; with `.error`, the default, the save ends with
  ///     one.
  /// - Returns: What the block returns, once it is on disk.
  /// - Throws: What the block throws, or as ``ManagedObjectContext/save(mergePolicy:file:line:)``.
  @discardableResult
  public nonisolated(nonsending) func save<Value: Sendable>(
    named name: String? = nil, retries: Int = 0, mergePolicy: MergePolicy? = nil,
    file: String = #fileID, line: Int = #line,
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    defer { defaultContext.catchUpIfCurrent() }
    return try await BlockSave(rootSavingContext, name, mergePolicy, file, line).run(block, retries)
  }

  /// Runs a block in a private context of its own, saves what it did to the store, and calls back
  /// on the main queue, when the default context has taken the changes in.
  /// - Parameter name: What logs and errors call the save; by default the line that asked for it.
  public func save(
    named name: String? = nil, mergePolicy: MergePolicy? = nil, file: String = #fileID,
    line: Int = #line, _ block: @escaping @Sendable (LocalContext) -> Void,
    completion: @escaping @Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void
  ) {
    BlockSave(rootSavingContext, name, mergePolicy, file, line).start(block, completion)
  }

  /// Runs a block in a private context of its own, saves what it did to the store, and returns.
  ///
  /// On the main queue the default context has taken the changes in at return.
  /// - Parameters: As in the form with `await`.
  /// - Throws: What the block throws, or as ``ManagedObjectContext/save(mergePolicy:file:line:)``.
  @available(*, noasync, message: "use 'await save' instead")
  @discardableResult
  public func saveAndWait<Value>(
    named name: String? = nil, retries: Int = 0, mergePolicy: MergePolicy? = nil,
    file: String = #fileID, line: Int = #line, _ block: (LocalContext) throws -> Value
  ) throws -> Value {
    let save = BlockSave(rootSavingContext, name, mergePolicy, file, line)
    let value = try save.runAndWait(block, retries)
    defaultContext.catchUpIfCurrent()
    return value
  }
}
