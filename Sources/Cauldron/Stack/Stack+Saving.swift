public import CauldronGraph
import CauldronModel
import Logging

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
  /// default context takes the changes in. If the block throws, nothing is saved; `save()` in it
  /// checks what was done so far, and all is saved together when the block has ended.
  /// - Parameters:
  ///   - name: What logs and errors call the save; by default the line that asked for it.
  ///   - retries: How often the block is run again, each time in a fresh context that shows the
  ///     newest values, where the save ends with `save.conflict`; 0 by default. So the block must
  ///     read what it computes with, and do nothing else than change objects.
  ///   - mergePolicy: What decides about conflicts; with `.error`, the default, the save ends with
  ///     one.
  /// - Returns: What the block returns, once it is on disk.
  /// - Throws: What the block throws, or as ``ManagedObjectContext/save(mergePolicy:file:line:)``.
  @discardableResult
  public func save<Value: Sendable>(
    named name: String? = nil, retries: Int = 0, mergePolicy: MergePolicy? = nil,
    file: String = #fileID, line: Int = #line,
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    var attempt = SaveAttempt(retries, name, file, line)
    while true {
      do {
        return try await save(attempt.name, mergePolicy, file, line, block)
      } catch  where attempt.mayRepeat(after: error, coordinator.logger) {
        continue
      }
    }
  }

  private func save<Value: Sendable>(
    _ name: String?, _ mergePolicy: MergePolicy?, _ file: String, _ line: Int,
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let context = savingContext(name)
    let run = context.announceSave(mergePolicy, named: name, file: file, line: line)
    do {
      let value = try await context.perform { local in try run.run { try local.beforeSave(block) } }
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
  /// - Parameter name: What logs and errors call the save; by default the line that asked for it.
  public func save(
    named name: String? = nil, mergePolicy: MergePolicy? = nil, file: String = #fileID,
    line: Int = #line, _ block: @escaping @Sendable (LocalContext) -> Void,
    completion: @escaping @Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void
  ) {
    let context = savingContext(name)
    let run = context.announceSave(mergePolicy, named: name, file: file, line: line)
    context.perform { local in
      run.run { local.beforeSave(block) }
      local.context.finish(run, completion)
    }
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
    var attempt = SaveAttempt(retries, name, file, line)
    while true {
      do {
        let context = savingContext(name)
        let value = try context.performAndWait { try $0.beforeSave(block) }
        try context.saveAndWait(
          toPersistentStore: true, named: name, mergePolicy: mergePolicy, file: file, line: line)
        defaultContext.catchUpIfCurrent()
        return value
      } catch  where attempt.mayRepeat(after: error, coordinator.logger) {
        continue
      }
    }
  }

  private func savingContext(_ name: String?) -> ManagedObjectContext {
    ManagedObjectContext(.private, parent: rootSavingContext, name: name ?? "Saving Context")
  }
}

/// How often a save block was run, and whether it may run again.
private struct SaveAttempt {
  let name: String?
  private let callSite: String
  private let most: Int
  private var number = 1

  init(_ retries: Int, _ name: String?, _ file: String, _ line: Int) {
    self.name = name
    callSite = "\(file):\(line)"
    most = max(0, retries) + 1
  }

  /// Whether the save ended with a conflict and may be tried again, which the log tells.
  mutating func mayRepeat(after error: any Error, _ logger: Logger) -> Bool {
    guard number < most, let error = error as? CauldronError, error.code == .saveConflict else {
      return false
    }
    number += 1
    logger.notice(
      "Saving again after a conflict: \(name ?? callSite)",
      metadata: [
        "attempt": "\(number)/\(most)", "name": "\(name ?? callSite)",
        "conflict": "\(error.save?.saveID ?? 0)",
      ])
    return true
  }
}
