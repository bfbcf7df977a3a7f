public import Cauldron

// The save logs its error; it goes to `MagicalRecord.errorHandler`, too.

extension ManagedObjectContext {
  /// Runs a block in a private child of this context, and saves what it did to the store.
  @available(*, deprecated, message: "use 'try await context.save { child in … }'")
  public func mr_save(
    file: String = #fileID, line: Int = #line, _ block: @escaping @Sendable (LocalContext) -> Void
  ) {
    save(file: file, line: line, block, completion: MagicalRecord.telling(nil))
  }

  /// Runs a block in a private child of this context, saves what it did to the store, and calls back
  /// on the main queue.
  @available(*, deprecated, renamed: "save(_:completion:)")
  public func mr_save(
    file: String = #fileID, line: Int = #line,
    _ block: @escaping @Sendable (LocalContext) -> Void,
    completion: (@Sendable (_ contextDidSave: Bool, _ error: (any Error)?) -> Void)?
  ) {
    save(file: file, line: line, block, completion: MagicalRecord.telling(completion))
  }

  /// Runs a block in a private child of this context, saves what it did to the store, and returns.
  @available(*, deprecated, message: "use 'try saveAndWait { child in … }'")
  @available(*, noasync, message: "use 'try await save { child in … }'")
  public func mr_save(
    file: String = #fileID, line: Int = #line, blockAndWait block: (LocalContext) -> Void
  ) {
    MagicalRecord.attemptSave { try saveAndWait(file: file, line: line, block) }
  }
}
