public import CauldronGraph
public import CauldronLedger

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
