import CauldronModel
import Dispatch

extension ManagedObjectContext {
  /// Saves the context into its parent, or into the store if it is on the coordinator.
  ///
  /// The parent's queue is not needed: the changes are accepted or refused on the spot.
  /// - Throws: `validation.…`, `save.conflict`; for a context on the coordinator also `store.…`.
  ///   Then the context keeps its changes.
  public func save(file: String = #fileID, line: Int = #line) throws {
    prove()
    let run = SaveRun(self, toPersistentStore: false, callSite: "\(file):\(line)")
    core.hold { self.core.saveLevel(run) }
    core.endClaim(.open)
    if case .failure(let error) = run.result() { throw error }
  }

  /// Saves the context and, level by level, its ancestors up to the store; each on its own queue.
  ///
  /// ```swift
  /// context.save(toPersistentStore: true) { didSave, error in … }
  /// ```
  /// - Parameters:
  ///   - toPersistentStore: Whether to go on to the store; otherwise only this context is saved.
  ///   - completion: Called exactly once, on the main queue, with the truth about this save:
  ///     `(true, nil)` saved, also if a concurrent save carried the changes; `(false, nil)` nothing
  ///     to save on the whole chain; `(false, error)` not saved, and the error names the level.
  public func save(
    toPersistentStore: Bool, file: String = #fileID, line: Int = #line,
    completion: (@Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void)? = nil
  ) {
    let run = SaveRun(self, toPersistentStore: toPersistentStore, callSite: "\(file):\(line)")
    let main = core.coordinator.mainQueue
    start(run) { result in
      guard let completion else { return }
      main.queue.async {
        switch result {
        case .success(.saved): completion(true, nil)
        case .success(.noChanges): completion(false, nil)
        case .failure(let error): completion(false, error)
        }
      }
    }
  }

  /// Saves the context and, level by level, its ancestors up to the store.
  ///
  /// A task that is cancelled before the first step saves nothing; later the save is finished.
  /// - Returns: What was saved, once it is on disk.
  /// - Throws: `CancellationError`, or as `save()`; the error names the level.
  @discardableResult
  public func save(
    toPersistentStore: Bool, file: String = #fileID, line: Int = #line
  ) async throws -> SaveOutcome {
    try Task.checkCancellation()
    let run = SaveRun(self, toPersistentStore: toPersistentStore, callSite: "\(file):\(line)")
    return try await withCheckedThrowingContinuation { continuation in
      start(run) { continuation.resume(with: $0.mapError { $0 as any Error }) }
    }
  }

  /// Saves the context and its ancestors up to the store, and returns when that is done.
  ///
  /// Each level runs on the calling thread if its queue is free; the main context's level waits
  /// for the main queue.
  /// - Returns: What was saved.
  /// - Throws: As `save()`; the error names the level.
  @available(*, noasync, message: "use 'await save(toPersistentStore:)' instead")
  @discardableResult
  public func saveAndWait(
    toPersistentStore: Bool, file: String = #fileID, line: Int = #line
  ) throws -> SaveOutcome {
    let run = SaveRun(self, toPersistentStore: toPersistentStore, callSite: "\(file):\(line)")
    for (step, level) in run.levels.enumerated() where run.error == nil {
      run.step = step
      run.enqueued = .now()
      if step == 0, level.core.canRunHere {
        level.core.hold { level.core.saveLevel(run) }
        level.core.endClaim(.open)
      } else {
        level.core.performAndWait { level.core.saveLevel(run) }
      }
    }
    return try run.result().get()
  }

  /// Runs the first level here if the caller owns the context, else on its queue; then the others.
  private func start(
    _ run: SaveRun, _ done: @escaping @Sendable (Result<SaveOutcome, CauldronError>) -> Void
  ) {
    if core.canRunHere {
      core.hold { self.core.saveLevel(run) }
      core.endClaim(.open)
      next(run, done)
    } else {
      enqueue(run, done)
    }
  }

  private func enqueue(
    _ run: SaveRun, _ done: @escaping @Sendable (Result<SaveOutcome, CauldronError>) -> Void
  ) {
    run.enqueued = .now()
    let level = run.levels[run.step]
    level.core.endClaim(.queue)
    level.core.queue.async {
      level.core.saveLevel(run)
      self.next(run, done)
    }
  }

  private func next(
    _ run: SaveRun, _ done: @escaping @Sendable (Result<SaveOutcome, CauldronError>) -> Void
  ) {
    guard run.error == nil, run.step + 1 < run.levels.count else {
      done(run.result())
      return
    }
    run.step += 1
    enqueue(run, done)
  }
}
