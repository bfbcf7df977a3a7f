public import Cauldron

/// What a save calls back: whether it has saved something, and what went wrong.
@available(*, deprecated, message: "write the closure's type")
public typealias MRSaveCompletionHandler =
  @Sendable (_ contextDidSave: Bool, _ error: (any Error)?) -> Void

extension MagicalRecord {
  /// Runs a block in a private context of its own, and saves what it did to the store.
  @available(*, deprecated, message: "use 'try await Stack.default.save { context in … }'")
  public static func save(
    file: String = #fileID, line: Int = #line, _ block: @escaping @Sendable (LocalContext) -> Void
  ) {
    Stack.default.save(file: file, line: line, block, completion: telling(nil))
  }

  /// Runs a block in a private context of its own, saves what it did to the store, and calls back on
  /// the main queue.
  @available(*, deprecated, renamed: "Stack.default.save(_:completion:)")
  public static func save(
    file: String = #fileID, line: Int = #line,
    _ block: @escaping @Sendable (LocalContext) -> Void,
    completion: (@Sendable (_ contextDidSave: Bool, _ error: (any Error)?) -> Void)?
  ) {
    Stack.default.save(file: file, line: line, block, completion: telling(completion))
  }

  /// Runs a block in a private context of its own, saves what it did to the store, and returns.
  @available(*, deprecated, message: "use 'try Stack.default.saveAndWait { context in … }'")
  @available(*, noasync, message: "use 'try await Stack.default.save { context in … }'")
  public static func save(
    file: String = #fileID, line: Int = #line, blockAndWait block: (LocalContext) -> Void
  ) {
    attemptSave { try Stack.default.saveAndWait(file: file, line: line, block) }
  }

  /// Runs a block in a private context of its own, and saves what it did to the store.
  @available(*, deprecated, message: "use 'try await Stack.default.save { context in … }'")
  public static func saveInBackground(
    file: String = #fileID, line: Int = #line, _ block: @escaping @Sendable (LocalContext) -> Void
  ) {
    Stack.default.save(file: file, line: line, block, completion: telling(nil))
  }

  /// Runs a block in a private context of its own, saves what it did to the store, and calls back on
  /// the main queue, whether anything was saved or not.
  @available(*, deprecated, message: "use 'Stack.default.save(_:completion:)'")
  public static func saveInBackground(
    file: String = #fileID, line: Int = #line,
    _ block: @escaping @Sendable (LocalContext) -> Void, completion: (@Sendable () -> Void)?
  ) {
    Stack.default.save(file: file, line: line, block, completion: telling { _, _ in completion?() })
  }

  /// A completion that tells the handler of an error first; the save has logged it.
  static func telling(
    _ completion: (@Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void)?
  ) -> @Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void {
    { didSave, error in
      if let error { tell(error) }
      completion?(didSave, error)
    }
  }

  /// Does what a call asks that saves; the save has logged its error.
  static func attemptSave(_ body: () throws -> Void) {
    do { try body() } catch { tell(error) }
  }
}
