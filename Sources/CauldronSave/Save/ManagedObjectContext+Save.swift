public import CauldronGraph
public import CauldronLedger
public import CauldronModel
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

/// How far a save goes, and what the caller waits for: MagicalRecord's options.
///
/// Without any the context is saved into its parent, in the background.
public struct SaveOptions: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The ancestors are saved, too, up to the store.
  public static let parentContexts = SaveOptions(rawValue: 1 << 1)
  /// The call returns when all levels are saved.
  public static let synchronously = SaveOptions(rawValue: 1 << 2)
  /// The call returns when all levels are saved but the one that writes to the store, which is saved
  /// in the background. It goes before `synchronously`.
  public static let synchronouslyExceptRootContext = SaveOptions(rawValue: 1 << 3)
}

extension ManagedObjectContext {
  /// Saves the context as options say.
  ///
  /// ```swift
  /// context.save(options: [.parentContexts, .synchronouslyExceptRootContext]) { didSave, error in … }
  /// ```
  /// - Parameters:
  ///   - options: How far the save goes, and what the caller waits for.
  ///   - mergePolicy: What decides about conflicts of this save; nil for the policy of the context
  ///     that meets them.
  ///   - completion: Called exactly once, on the main queue; see
  ///     ``save(toPersistentStore:mergePolicy:file:line:completion:)``.
  @available(*, noasync, message: "use 'await save(toPersistentStore:)' instead")
  public func save(
    options: SaveOptions, mergePolicy: MergePolicy? = nil, file: String = #fileID,
    line: Int = #line,
    completion: (@Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void)?
  ) {
    let run = SaveRun(
      self, toPersistentStore: options.contains(.parentContexts), mergePolicy,
      at: CallSite(file, line))
    run.begin()
    finish(run, levelsToWaitFor: options.waits(run.levels), completion: completion)
  }
}

extension SaveOptions {
  /// How many levels the caller waits for.
  fileprivate func waits(_ levels: [ManagedObjectContext]) -> Int {
    if contains(.synchronouslyExceptRootContext) {
      return levels.count { $0.parent != nil }
    }
    return contains(.synchronously) ? levels.count : 0
  }
}

/// What a save did.
public enum SaveOutcome: Sendable, Hashable {
  /// The changes were saved.
  case saved(SaveSummary)
  /// There was nothing to save, anywhere on the chain.
  case noChanges
}

extension SaveOutcome: CustomStringConvertible {
  /// What the save did, in few words: `saved: 1 inserted, 2 updated (save 7)`, or `no changes`.
  public var description: String {
    switch self {
    case .saved(let summary): summary.description
    case .noChanges: "no changes"
    }
  }
}

/// What a successful save wrote.
public struct SaveSummary: Sendable, Hashable {
  /// The save's number, which its log lines carry.
  public let saveID: UInt64
  /// The number of the concurrent save that carried the changes to disk, if it was another one.
  public let carriedBy: UInt64?
  /// The objects created, changed and deleted in the context that was saved.
  public let inserted: Int
  /// The objects changed in the context that was saved.
  public let updated: Int
  /// The objects deleted in the context that was saved.
  public let deleted: Int
  /// The links of many-to-many relationships that were made and taken away in the context that was
  /// saved.
  public let links: Int
  /// What merge policies have kept or dropped of the context's own changes, at all levels; empty where
  /// nothing was in conflict.
  public let resolutions: [SaveResolution]
  /// The same of changes that other contexts had saved into this one, and this one into its parent.
  public let carriedResolutions: [SaveResolution]
  /// Why changes came back that other contexts had saved into this one, or this one into its parent
  /// before, while those of this save are saved; empty mostly.
  public let refused: [CauldronError]
}

extension SaveSummary {
  /// Equality of all that is told; of errors, what they say.
  public static func == (a: SaveSummary, b: SaveSummary) -> Bool {
    a.saveID == b.saveID && a.carriedBy == b.carriedBy && a.inserted == b.inserted
      && a.updated == b.updated && a.deleted == b.deleted && a.links == b.links
      && a.resolutions == b.resolutions
      && a.carriedResolutions == b.carriedResolutions
      && a.refused.map(\.description) == b.refused.map(\.description)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(saveID) }
}

extension SaveSummary: CustomStringConvertible {
  /// What was saved, in few words: `saved: 1 inserted, 2 updated (save 7)`.
  public var description: String {
    var text = "saved"
    let counts = SavedCounts(self).text
    if !counts.isEmpty { text += ": \(counts)" }
    text += " (save \(saveID)\(carriedBy.map { ", written by save \($0)" } ?? ""))"
    if !resolutions.isEmpty { text += "; conflicts decided: \(resolutions.count)" }
    if !refused.isEmpty { text += "; earlier saves refused: \(refused.count)" }
    return text
  }
}
