import CauldronGraph
package import CauldronLedger
import CauldronModel
import Dispatch

extension ManagedObjectContext {
  /// Announces a save to the store before its changes are made, so that closing the stack waits for
  /// it; its context ends with it. It must be finished, or end with `end()`.
  /// - Parameters:
  ///   - isRepeated: Whether its block runs again after a conflict; then it ends with `end()`, or as
  ///     the next attempt is announced.
  ///   - last: The attempt before, which ends.
  ///   - again: What is to be done again where it fails.
  package func announceSave(
    _ mergePolicy: MergePolicy?, named name: String?, isRepeated: Bool, after last: SaveRun?,
    again: String = "run the block again", file: String, line: Int
  ) -> SaveRun {
    let run = SaveRun(
      self, toPersistentStore: true, mergePolicy, named: name, again: again,
      isRepeated: isRepeated, at: CallSite(file, line))
    run.begin(after: last)
    return run
  }

  /// Saves level by level on this thread.
  @discardableResult
  package func finishAndWait(_ run: SaveRun) throws -> SaveOutcome {
    run.began = .now()
    runAndWait(run, levels: run.levels.count)
    core.catchUp.runAfterSave(changed: run.hasChanged)
    return try run.conclude().get()
  }

  /// Saves level by level, and calls back on the main queue.
  package func finish(
    _ run: SaveRun, levelsToWaitFor count: Int = 0,
    completion: (@Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void)?
  ) {
    let main = core.coordinator.mainQueue
    start(run, waiting: count) { result in
      guard let completion else { return }
      let core = self.core
      main.queue.async {
        core.catchUp.runOnMain(changed: run.hasChanged)
        switch result {
        case .success(.saved): completion(true, nil)
        case .success(.noChanges): completion(false, nil)
        case .failure(let error): completion(false, error)
        }
      }
    }
  }

  /// Calls back on the main queue for a save that comes to nothing.
  package func callBack(
    with error: any Error,
    _ completion: @escaping @Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void
  ) {
    core.coordinator.mainQueue.queue.async { completion(false, error) }
  }

  /// Saves level by level.
  package nonisolated(nonsending) func finish(_ run: SaveRun) async throws -> SaveOutcome {
    let core = self.core
    defer { core.catchUp.runInAncestors() }
    return try await withCheckedThrowingContinuation { continuation in
      start(run) { result in
        let ending = result.mapError { $0 as any Error }
        guard core.catchUp.isDue(changed: run.hasChanged) else {
          return continuation.resume(with: ending)
        }
        core.ownership.queue.async {
          core.catchUp.runOnMain(changed: run.hasChanged)
          continuation.resume(with: ending)
        }
      }
    }
  }

  /// Runs the first level here if the caller owns the context, else on its queue; then the others.
  /// - Parameter count: How many levels have run when the call returns.
  private func start(
    _ run: SaveRun, waiting count: Int = 0,
    done: @escaping @Sendable (Result<SaveOutcome, CauldronError>) -> Void
  ) {
    run.began = .now()
    if count > 0 {
      runAndWait(run, levels: count)
      next(run, done: done)
    } else if core.ownership.canRunHere {
      core.publisher.hold { Saver(self.core).saveLevel(run) }
      core.ownership.endClaim(.open)
      next(run, done: done)
    } else {
      enqueue(run, done: done)
    }
  }

  /// Runs the first levels on this thread, each as soon as its queue is free, until one fails.
  private func runAndWait(_ run: SaveRun, levels count: Int) {
    for (step, level) in run.levels.prefix(count).enumerated() where run.error == nil {
      run.step = step
      run.enqueued = .now()
      if step == 0, level.core.ownership.canRunHere {
        level.core.publisher.hold { Saver(level.core).saveLevel(run) }
        level.core.ownership.endClaim(.open)
      } else {
        level.core.publisher.performAndWait { Saver(level.core).saveLevel(run) }
      }
    }
  }

  private func enqueue(
    _ run: SaveRun, done: @escaping @Sendable (Result<SaveOutcome, CauldronError>) -> Void
  ) {
    run.enqueued = .now()
    let level = run.levels[run.step]
    level.core.ownership.endClaim(.queue)
    level.core.ownership.queue.async {
      Saver(level.core).saveLevel(run)
      self.next(run, done: done)
    }
  }

  private func next(
    _ run: SaveRun, done: @escaping @Sendable (Result<SaveOutcome, CauldronError>) -> Void
  ) {
    guard run.error == nil, run.goesOn else {
      done(run.conclude())
      return
    }
    run.step += 1
    enqueue(run, done: done)
  }
}
