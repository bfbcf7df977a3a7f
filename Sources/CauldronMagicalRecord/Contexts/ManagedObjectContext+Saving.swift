public import Cauldron

// The save logs its error; it goes to `MagicalRecord.errorHandler`, too.

extension ManagedObjectContext {
  /// Saves the context into its parent, and calls back on the main queue.
  @available(
    *, deprecated, message: "use 'save(toPersistentStore: false) { didSave, error in … }'"
  )
  public func mr_saveOnlySelf(
    file: String = #fileID, line: Int = #line,
    completion: (@Sendable (_ contextDidSave: Bool, _ error: (any Error)?) -> Void)?
  ) {
    save(
      toPersistentStore: false, file: file, line: line,
      completion: MagicalRecord.telling(completion))
  }

  /// Saves the context into its parent, and returns.
  @available(*, deprecated, message: "use 'try save()'")
  @available(*, noasync, message: "use 'try await save(toPersistentStore: false)'")
  public func mr_saveOnlySelfAndWait(file: String = #fileID, line: Int = #line) {
    MagicalRecord.attemptSave {
      try saveAndWait(toPersistentStore: false, file: file, line: line)
    }
  }

  /// Saves the context and its ancestors up to the store, and calls back on the main queue.
  @available(*, deprecated, message: "use 'save(toPersistentStore: true) { didSave, error in … }'")
  public func mr_saveToPersistentStore(
    file: String = #fileID, line: Int = #line,
    completion: (@Sendable (_ contextDidSave: Bool, _ error: (any Error)?) -> Void)?
  ) {
    save(
      toPersistentStore: true, file: file, line: line,
      completion: MagicalRecord.telling(completion))
  }

  /// Saves the context and its ancestors up to the store, and returns.
  @available(*, deprecated, message: "use 'try saveAndWait(toPersistentStore: true)'")
  @available(*, noasync, message: "use 'try await save(toPersistentStore: true)'")
  public func mr_saveToPersistentStoreAndWait(file: String = #fileID, line: Int = #line) {
    MagicalRecord.attemptSave {
      try saveAndWait(toPersistentStore: true, file: file, line: line)
    }
  }

  /// Saves the context as options say, and calls back on the main queue.
  @available(*, deprecated, renamed: "save(options:completion:)")
  @available(*, noasync, message: "use 'try await save(toPersistentStore: true)'")
  public func mr_save(
    options: SaveOptions, file: String = #fileID, line: Int = #line,
    completion: (@Sendable (_ contextDidSave: Bool, _ error: (any Error)?) -> Void)?
  ) {
    save(
      options: options, file: file, line: line, completion: MagicalRecord.telling(completion))
  }
}
