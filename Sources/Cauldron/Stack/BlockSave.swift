public import CauldronGraph
import CauldronModel
import CauldronSave
import Logging

/// A block that runs in a context of its own, and is saved to the store when it has ended.
struct BlockSave {
  /// The parent of the block's context.
  private let parent: ManagedObjectContext
  /// The context that shows what was saved when the save returns, where the caller is on its queue.
  private let viewer: ManagedObjectContext
  let name: String?
  let mergePolicy: MergePolicy?
  let file: String
  let line: Int

  init(
    below parent: ManagedObjectContext, shownIn viewer: ManagedObjectContext, _ name: String?,
    _ mergePolicy: MergePolicy?, _ file: String, _ line: Int
  ) {
    self.parent = parent
    self.viewer = viewer
    self.name = name
    self.mergePolicy = mergePolicy
    self.file = file
    self.line = line
  }

  /// Runs the block, again after a conflict as often as `retries` says, and saves.
  nonisolated(nonsending) func run<Value: Sendable>(
    _ block: @escaping @Sendable (LocalContext) throws -> Value, _ retries: Int
  ) async throws -> Value {
    // What the caller has changed is seen by the block, and a `close()` that follows knows of the save.
    // After that nothing needs the caller's actor, which may be waiting in `close()` for this save.
    parent.publishIfCurrent()
    defer { viewer.catchUpIfCurrent() }
    try Task.checkCancellation()
    return try await run(block, SaveAttempt(self, retries), announce(isRepeated: retries > 0))
  }

  /// Makes the attempts, off the caller's actor.
  @concurrent
  private func run<Value: Sendable>(
    _ block: @escaping @Sendable (LocalContext) throws -> Value, _ first: SaveAttempt,
    _ announced: Announced
  ) async throws -> Value {
    var (attempt, announced) = (first, announced)
    defer { announced.run.end() }
    while true {
      do {
        return try await announced.run(block)
      } catch  where attempt.mayRepeat(after: error) {
        try Task.checkCancellation()
        announced = announce(isRepeated: attempt.mayFail, after: announced.run)
      }
    }
  }

  /// - Parameters:
  ///   - isRepeated: Whether the block runs again after a conflict.
  ///   - last: The attempt before, of which closing the stack knows until then.
  private func announce(isRepeated: Bool, after last: SaveRun? = nil) -> Announced {
    let context = ManagedObjectContext(.private, parent: parent, name: name ?? "Saving Context")
    let run = context.announceSave(
      mergePolicy, named: name, isRepeated: isRepeated, after: last, file: file, line: line)
    return Announced(context: context, run: run)
  }

  /// Runs the block later, saves unless it throws, and calls back on the main queue.
  func start(
    _ block: @escaping @Sendable (LocalContext) throws -> Void,
    _ completion: @escaping @Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void
  ) {
    let announced = announce(isRepeated: false)
    let run = announced.run
    announced.context.perform { local in
      do { try run.run { try local.beforeSave(block) } } catch {
        run.end()
        return local.context.callBack(with: error, completion)
      }
      local.context.finish(run, completion: completion)
    }
  }

  /// Runs the block on this thread, again after a conflict as often as `retries` says, and saves.
  /// If that fails, the viewer does not catch up.
  @available(*, noasync)
  func runAndWait<Value>(
    _ block: (LocalContext) throws -> Value, _ retries: Int
  ) throws -> Value {
    try parent.checkBlockMayBeSaved()
    var attempt = SaveAttempt(self, retries)
    var announced = announce(isRepeated: attempt.mayFail)
    defer { announced.run.end() }
    while true {
      do {
        let value = try announced.runAndWait(block)
        viewer.catchUpIfCurrent()
        return value
      } catch  where attempt.mayRepeat(after: error) {
        announced = announce(isRepeated: attempt.mayFail, after: announced.run)
      }
    }
  }

  fileprivate var logger: Logger { parent.logger }
}

/// A save that closing the stack waits for, and the context whose changes it will save.
private struct Announced: Sendable {
  let context: ManagedObjectContext
  let run: SaveRun

  /// Runs the block in the context, and saves.
  nonisolated(nonsending) func run<Value: Sendable>(
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    let value = try await context.perform { local in try run.run { try local.beforeSave(block) } }
    try Task.checkCancellation()
    _ = try await context.finish(run)
    return value
  }

  /// Runs the block in the context on this thread, and saves.
  @available(*, noasync)
  func runAndWait<Value>(_ block: (LocalContext) throws -> Value) throws -> Value {
    let value = try context.performAndWait { local in try run.run { try local.beforeSave(block) } }
    _ = try context.finishAndWait(run)
    return value
  }
}

/// How often a save block was run, and whether it may run again.
private struct SaveAttempt {
  private let save: BlockSave
  private let most: Int
  private var number = 1

  init(_ save: BlockSave, _ retries: Int) {
    self.save = save
    most = max(0, retries) + 1
  }

  /// Whether the block runs again where this attempt meets a conflict.
  var mayFail: Bool { number < most }

  /// Whether the save ended with a conflict and may be tried again, which the log tells.
  mutating func mayRepeat(after error: any Error) -> Bool {
    guard mayFail, let error = error as? CauldronError, error.mayPass else { return false }
    number += 1
    let name = save.name ?? "\(save.file):\(save.line)"
    var metadata: Logger.Metadata = ["attempt": "\(number)/\(most)", "name": "\(name)"]
    metadata["conflict"] = error.save.map { "\($0.saveID)" }
    save.logger.notice("Saving again after a conflict: \(name)", metadata: metadata)
    return true
  }
}

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
  ///     `save.dependency`; 0 by default.
  ///   - mergePolicy: What decides about conflicts; nil for the policy of the context that meets them.
  ///   - file: Where the call stands, for the log.
  ///   - line: Its line.
  ///   - block: Makes and changes objects of the context that it is given.
  /// - Returns: What the block returns, once it is on disk.
  /// - Throws: What the block throws, or as ``save(mergePolicy:file:line:)->()``.
  @discardableResult
  public nonisolated(nonsending) func save<Value: Sendable>(
    named name: String? = nil, retries: Int = 0, mergePolicy: MergePolicy? = nil,
    file: String = #fileID, line: Int = #line,
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    try await BlockSave(below: self, shownIn: self, name, mergePolicy, file, line)
      .run(block, retries)
  }

  /// Runs a block in a private child of this context, saves what it did to the store, and calls back
  /// on the main queue. Where the block throws, nothing is saved, and the completion gets the error.
  /// - Parameters:
  ///   - name: What logs and errors call the save; by default the line that asked for it.
  ///   - mergePolicy: What decides about conflicts; nil for the policy of the context that meets them.
  ///   - file: Where the call stands, for the log.
  ///   - line: Its line.
  ///   - block: Makes and changes objects of the context that it is given.
  ///   - completion: Called on the main queue, once.
  public func save(
    named name: String? = nil, mergePolicy: MergePolicy? = nil, file: String = #fileID,
    line: Int = #line, _ block: @escaping @Sendable (LocalContext) throws -> Void,
    completion: @escaping @Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void
  ) {
    BlockSave(below: self, shownIn: self, name, mergePolicy, file, line).start(block, completion)
  }

  /// Runs a block in a private child of this context, saves what it did to the store, and returns.
  ///
  /// On this context's queue the block sees what was changed before, and the context has taken the
  /// block's changes in at return.
  /// - Parameters: As in the form with `await`.
  /// - Throws: What the block throws, or as ``save(mergePolicy:file:line:)->()``.
  @available(*, noasync, message: "use 'await save' instead")
  @discardableResult
  public func saveAndWait<Value>(
    named name: String? = nil, retries: Int = 0, mergePolicy: MergePolicy? = nil,
    file: String = #fileID, line: Int = #line, _ block: (LocalContext) throws -> Value
  ) throws -> Value {
    publishIfCurrent()
    return try BlockSave(below: self, shownIn: self, name, mergePolicy, file, line)
      .runAndWait(block, retries)
  }
}
