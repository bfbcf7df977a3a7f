public import CauldronGraph
public import CauldronLedger
import CauldronModel
import Dispatch

extension ManagedObjectContext {
  /// Saves the context into its parent, or into the store if it is on the coordinator.
  ///
  /// The parent's queue is not needed: the changes are accepted or refused on the spot.
  /// - Parameter mergePolicy: What decides about conflicts of this save, wherever they are met; nil
  ///   for the policy of the context that meets them.
  /// - Throws: `validation.…`, `save.conflict`; for a context on the coordinator also `store.…`.
  ///   Then the context keeps its changes.
  public func save(
    mergePolicy: MergePolicy? = nil, file: String = #fileID, line: Int = #line
  ) throws {
    prove()
    core.ancestors.publish()
    if core.settings.withLock({ $0.savesAtEnd }) { return try Saver(core).checkBeforeEnd() }
    let run = SaveRun(
      self, toPersistentStore: false, mergePolicy, at: CallSite(file, line))
    run.begin()
    core.publisher.hold { Saver(self.core).saveLevel(run) }
    core.ownership.endClaim(.open)
    if case .failure(let error) = run.conclude() { throw error }
  }

  /// Saves the context into its parent, or into the store if it is on the coordinator, from any thread.
  ///
  /// ```swift
  /// try await context.save()
  /// ```
  /// An `async` function calls this form by `save()`, since such a function may run on any thread. The context is
  /// saved on its own queue.
  /// - Parameter mergePolicy: As in the form without `await`.
  /// - Returns: What was saved.
  /// - Throws: `CancellationError`, or as the form without `await`.
  @discardableResult
  public nonisolated(nonsending) func save(
    mergePolicy: MergePolicy? = nil, file: String = #fileID, line: Int = #line
  ) async throws -> SaveOutcome {
    try await save(
      toPersistentStore: false, mergePolicy: mergePolicy, file: file, line: line)
  }

  /// Saves the context and, level by level, its ancestors up to the store; each on its own queue.
  ///
  /// ```swift
  /// context.save(toPersistentStore: true) { didSave, error in … }
  /// ```
  /// - Parameters:
  ///   - toPersistentStore: Whether to go on to the store; otherwise only this context is saved.
  ///   - mergePolicy: What decides about conflicts of this save, at every level and also if another
  ///     save carries the changes; nil for the policy of the context that meets them.
  ///   - completion: Called exactly once, on the main queue, with the truth about this save:
  ///     `(true, nil)` saved, also if a concurrent save carried the changes; `(false, nil)` nothing
  ///     to save on the whole chain; `(false, error)` not saved, and the error names the level. Pass
  ///     nil only where nobody needs to know: without a completion the call is the async form.
  public func save(
    toPersistentStore: Bool, mergePolicy: MergePolicy? = nil, file: String = #fileID,
    line: Int = #line,
    completion: (@Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void)?
  ) {
    let run = SaveRun(
      self, toPersistentStore: toPersistentStore, mergePolicy, at: CallSite(file, line))
    run.begin()
    finish(run, completion: completion)
  }

  /// Saves the context and, level by level, its ancestors up to the store.
  ///
  /// A task that is cancelled before the first step saves nothing; later the save is finished.
  /// - Parameters: As in the form with a completion.
  /// - Returns: What was saved, once it is on disk.
  /// - Throws: `CancellationError`, or as `save()`; the error names the level.
  @discardableResult
  public nonisolated(nonsending) func save(
    toPersistentStore: Bool, mergePolicy: MergePolicy? = nil, file: String = #fileID,
    line: Int = #line
  ) async throws -> SaveOutcome {
    try Task.checkCancellation()
    let run = SaveRun(
      self, toPersistentStore: toPersistentStore, mergePolicy, at: CallSite(file, line))
    run.begin()
    return try await finish(run)
  }

  /// Saves the context and its ancestors up to the store, and returns when that is done.
  ///
  /// Each level runs on the calling thread if its queue is free; the main context's level waits
  /// for the main queue.
  /// - Parameters: As in the form with a completion.
  /// - Returns: What was saved.
  /// - Throws: As `save()`; the error names the level.
  @available(*, noasync, message: "use 'await save(toPersistentStore:)' instead")
  @discardableResult
  public func saveAndWait(
    toPersistentStore: Bool, mergePolicy: MergePolicy? = nil, file: String = #fileID,
    line: Int = #line
  ) throws -> SaveOutcome {
    let run = SaveRun(
      self, toPersistentStore: toPersistentStore, mergePolicy, at: CallSite(file, line))
    run.begin()
    return try finishAndWait(run)
  }
}

extension ManagedObjectContext {
  /// Refuses a block that an observer of `willSaveObjectsNotification` wants to run in a new child and save
  /// through this context: before it runs, as its child tells the same observer of a save.
  package func checkBlockMayBeSaved() throws {
    if core.ownership.isCallers { try core.hooks.checkNoObserverIsTold() }
  }
}

extension LocalContext {
  /// Saves the context into its parent; see ``ManagedObjectContext/save(mergePolicy:file:line:)->()``. In
  /// the block of a `Stack.save` it only checks what was done so far.
  public func save(
    mergePolicy: MergePolicy? = nil, file: String = #fileID, line: Int = #line
  ) throws {
    try context.save(mergePolicy: mergePolicy, file: file, line: line)
  }
}
