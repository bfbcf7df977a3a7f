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

// Calls that were deprecated in MagicalRecord already. The save logs its error; it goes to the handler
// that is given, and to `MagicalRecord.errorHandler`, too.

extension ManagedObjectContext {
  /// Saves the context and its ancestors up to the store, and returns.
  @available(*, deprecated, message: "use 'try saveAndWait(toPersistentStore: true)'")
  @available(*, noasync, message: "use 'try await save(toPersistentStore: true)'")
  public func mr_save(file: String = #fileID, line: Int = #line) {
    mr_saveToPersistentStoreAndWait(file: file, line: line)
  }

  /// Saves the context and its ancestors up to the store, and returns.
  @available(*, deprecated, message: "use 'try saveAndWait(toPersistentStore: true)'")
  @available(*, noasync, message: "use 'try await save(toPersistentStore: true)'")
  public func mr_saveWithErrorCallback(
    file: String = #fileID, line: Int = #line, _ handler: ((any Error) -> Void)?
  ) {
    MagicalRecord.attemptSave {
      do {
        try saveAndWait(toPersistentStore: true, file: file, line: line)
      } catch {
        handler?(error)
        throw error
      }
    }
  }

  /// Saves the context into its parent, and calls back on the main queue.
  @available(*, deprecated, message: "use 'save(toPersistentStore: false) { didSave, error in … }'")
  public func mr_save(
    file: String = #fileID, line: Int = #line,
    inBackgroundCompletion completion: (@Sendable () -> Void)?
  ) {
    mr_save(file: file, line: line, inBackgroundErrorHandler: nil, completion: completion)
  }

  /// Saves the context into its parent.
  @available(*, deprecated, message: "use 'save(toPersistentStore: false) { didSave, error in … }'")
  public func mr_save(
    file: String = #fileID, line: Int = #line,
    inBackgroundErrorHandler handler: (@Sendable (any Error) -> Void)?
  ) {
    mr_save(file: file, line: line, inBackgroundErrorHandler: handler, completion: nil)
  }

  /// Saves the context into its parent, and calls back on the main queue.
  @available(*, deprecated, message: "use 'save(toPersistentStore: false) { didSave, error in … }'")
  public func mr_save(
    file: String = #fileID, line: Int = #line,
    inBackgroundErrorHandler handler: (@Sendable (any Error) -> Void)?,
    completion: (@Sendable () -> Void)?
  ) {
    save(
      toPersistentStore: false, file: file, line: line,
      completion: Self.calling(handler, then: completion))
  }

  /// Saves the context and its ancestors up to the store.
  @available(*, deprecated, message: "use 'save(toPersistentStore: true) { didSave, error in … }'")
  public func mr_saveNestedContexts(file: String = #fileID, line: Int = #line) {
    mr_saveNestedContextsErrorHandler(file: file, line: line, nil, completion: nil)
  }

  /// Saves the context and its ancestors up to the store.
  @available(*, deprecated, message: "use 'save(toPersistentStore: true) { didSave, error in … }'")
  public func mr_saveNestedContextsErrorHandler(
    file: String = #fileID, line: Int = #line, _ handler: (@Sendable (any Error) -> Void)?
  ) {
    mr_saveNestedContextsErrorHandler(file: file, line: line, handler, completion: nil)
  }

  /// Saves the context and its ancestors up to the store, and calls back on the main queue.
  @available(*, deprecated, message: "use 'save(toPersistentStore: true) { didSave, error in … }'")
  public func mr_saveNestedContextsErrorHandler(
    file: String = #fileID, line: Int = #line, _ handler: (@Sendable (any Error) -> Void)?,
    completion: (@Sendable () -> Void)?
  ) {
    save(
      toPersistentStore: true, file: file, line: line,
      completion: Self.calling(handler, then: completion))
  }

  /// A completion that calls a handler where there is an error, and a completion in any case.
  private static func calling(
    _ handler: (@Sendable (any Error) -> Void)?, then completion: (@Sendable () -> Void)?
  ) -> @Sendable (Bool, (any Error)?) -> Void {
    MagicalRecord.telling { _, error in
      if let error { handler?(error) }
      completion?()
    }
  }
}
