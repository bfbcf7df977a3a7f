public import CauldronGraph
public import CauldronModel
public import Foundation

extension Stack {
  /// The stack that the short calls use in the running task, instead of the one that was set up.
  ///
  /// ```swift
  /// try Stack.$current.withValue(stack) { … }
  /// ```
  @TaskLocal public static var current: Stack?

  /// The stack that was set up.
  fileprivate struct Shared {
    var stack: Stack?
    /// Whether one is being set up in the background, so that none else may be.
    var isComing = false
    /// Why setting one up has failed last; nil where that has not, or the stack was closed since.
    var failure: (any Error)?
  }

  private static let shared = Locked(Shared())

  /// The stack that the short calls use: the running task's, or the one that was set up.
  ///
  /// Traps where there is none, with the error of the set-up where that has failed.
  public static var `default`: Stack {
    if current == nil, isSettingUp { trap("No stack is set up while steps of its migration run.") }
    if let stack = current ?? shared.withLock({ $0.stack }) { return stack }
    if let failure = shared.withLock({ $0.failure }) {
      trap("No stack is set up, because setting one up has failed: \(failure)")
    }
    trap("No stack is set up. Call setupStack(storeURL:) first.")
  }

  /// Whether ``default`` has a stack to give.
  public static var isSetUp: Bool {
    if isSettingUp { return current != nil }
    return current != nil || shared.withLock { $0.stack != nil }
  }

  /// Closes the stack that was set up, if it is open still, as ``close()`` does, so that another one can be
  /// set up.
  /// - Throws: What closing the file meets.
  public static func cleanUp() throws {
    try requireNotSettingUp()
    let stack = shared.withLock { shared in
      defer { shared = Shared(isComing: shared.isComing) }
      return shared.stack
    }
    try stack?.close()
  }

  static func setUpAlone(_ make: () throws -> Stack) throws -> Stack {
    try shared.withLock { shared in
      try shared.requireFree()
      do {
        let made = try make()
        shared = Shared(stack: made)
        return made
      } catch {
        shared.failure = error
        throw error
      }
    }
  }

  /// Sets a stack up without keeping those waiting who ask for the default stack meanwhile.
  static func setUpMeanwhile(_ make: () async throws -> Stack) async throws -> Stack {
    try shared.withLock { shared in
      try shared.requireFree()
      shared.isComing = true
    }
    do {
      let made = try await make()
      shared.withLock { $0 = Shared(stack: made) }
      return made
    } catch {
      shared.withLock { shared in
        shared.isComing = false
        shared.failure = error
      }
      throw error
    }
  }
}

extension Stack.Shared {
  /// - Throws: `stack.alreadySetUp` where there is a stack, or will be one.
  fileprivate func requireFree() throws {
    if isComing {
      throw CauldronError(
        .stackAlreadySetUp, "A stack is being set up already.",
        hint: "Wait for it, or make further stacks with Stack(storeURL:).")
    }
    guard let stack, !stack.coordinator.isClosed else { return }
    throw CauldronError(
      .stackAlreadySetUp,
      "A stack is set up already, on \(stack.coordinator.storeURL?.path ?? "memory").",
      hint: "Call Stack.cleanUp() first, or make further stacks with Stack(storeURL:).")
  }
}

/// Opens a store, or creates it, and makes it the default stack: a private root saving context on
/// the store, and a default context on the main queue.
///
/// ```swift
/// try setupStack(storeURL: URL(filePath: "people.sqlite"))
/// ```
/// - Parameters:
///   - storeURL: The store's file; nil keeps everything in memory.
///   - model: The model; nil takes every `@Entity` class of the program.
///   - configuration: How the store is opened, and where to log.
/// - Returns: The stack, which ``Stack/default`` gives from now on.
/// A store that another version of the model wrote is brought over first, which takes its time where it is
/// large; ``setupStack(storeURL:model:configuration:onMigration:)`` does that in the background.
/// - Throws: ``CauldronError``: `stack.alreadySetUp` at a second call; `store.…` or `migration.…` if the
///   file cannot be used, which is then untouched; `model.invalid`.
@discardableResult
public func setupStack(
  storeURL: URL?, model: ManagedObjectModel? = nil,
  configuration: StackConfiguration = StackConfiguration()
) throws -> Stack {
  try Stack.setUp {
    try Stack(storeURL: storeURL, model: model, configuration: configuration)
  }
}

extension ManagedObjectContext {
  /// The main context of the default stack.
  public static var `default`: ManagedObjectContext { Stack.default.defaultContext }

  /// The context of the default stack through which every save reaches the store.
  public static var rootSaving: ManagedObjectContext { Stack.default.rootSavingContext }
}

/// Lets a call that takes any kind of context be given one by its name alone, as in `in: .default`.
extension ObjectContext where Self == ManagedObjectContext {
  /// The main context of the default stack.
  public static var `default`: ManagedObjectContext { Stack.default.defaultContext }

  /// The context of the default stack through which every save reaches the store.
  public static var rootSaving: ManagedObjectContext { Stack.default.rootSavingContext }

  /// Makes a private context whose saves go to `parent`.
  public static func contextWithParent(_ parent: ManagedObjectContext) -> ManagedObjectContext {
    ManagedObjectContext.contextWithParent(parent)
  }
}
