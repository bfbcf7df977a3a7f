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

  private static let shared = Locked<Stack?>(nil)

  /// The stack that the short calls use: the running task's, or the one that was set up.
  ///
  /// Traps where there is none.
  public static var `default`: Stack {
    if current == nil, isSettingUp { trap("No stack is set up while steps of its migration run.") }
    if let stack = current ?? shared.withLock({ $0 }) { return stack }
    trap("No stack is set up. Call setupStack(storeURL:) first.")
  }

  /// Whether ``default`` has a stack to give.
  public static var isSetUp: Bool {
    if isSettingUp { return current != nil }
    return current != nil || shared.withLock { $0 != nil }
  }

  /// Closes the stack that was set up, if it is open still, so that another one can be.
  /// - Throws: What closing the file meets.
  public static func cleanUp() throws {
    try requireNotSettingUp()
    let stack = shared.withLock { stack in
      defer { stack = nil }
      return stack
    }
    try stack?.close()
  }

  static func setUpAlone(_ make: () throws -> Stack) throws -> Stack {
    try shared.withLock { stack in
      if let old = stack, !old.coordinator.isClosed {
        throw CauldronError(
          .stackAlreadySetUp,
          "A stack is set up already, on \(old.coordinator.storeURL?.path ?? "memory").",
          hint: "Call Stack.cleanUp() first, or make further stacks with Stack(storeURL:).")
      }
      let made = try make()
      stack = made
      return made
    }
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
/// - Throws: ``CauldronError``: `stack.alreadySetUp` at a second call; `store.…` if the file cannot
///   be used, which is then untouched; `model.invalid`.
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
