public import Cauldron
public import Foundation
import Logging

// `import CauldronMagicalRecord` is the one import that code in the old manner needs.
@_exported public import Cauldron

/// MagicalRecord's calls by their old names: for code that is ported step by step.
///
/// ```swift
/// MagicalRecord.errorHandler = { error in show(error) }
/// MagicalRecord.setupCoreDataStack(withStoreNamed: "people")
/// let person = Person.mr_createEntity()
/// ```
/// Each call is deprecated, and its warning tells the new one. The old calls do not throw: what the new
/// one throws is logged and goes to ``errorHandler``, and the call gives nil, nothing or false.
public enum MagicalRecord {}

// A second set-up is an error, which is reported; the stack stays as it is, as before.

extension MagicalRecord {
  /// Opens the program's store in its data folder, and makes it the default stack.
  @available(*, deprecated, renamed: "Cauldron.setupStack()")
  public static func setupCoreDataStack() {
    attempt { try setupStack(model: model, configuration: configuration) }
  }

  /// Opens the program's store in its data folder, brought over where an older model wrote it.
  @available(*, deprecated, renamed: "Cauldron.setupAutoMigratingStack()")
  public static func setupAutoMigratingCoreDataStack() {
    attempt { try setupAutoMigratingStack(model: model, configuration: configuration) }
  }

  /// Makes a stack that keeps everything in memory the default stack.
  @available(*, deprecated, renamed: "Cauldron.setupStackInMemory()")
  public static func setupCoreDataStackWithInMemoryStore() {
    attempt { try setupStackInMemory(model: model, configuration: configuration) }
  }

  /// Opens the store with a name in the program's data folder, and makes it the default stack.
  @available(*, deprecated, renamed: "Cauldron.setupStack(storeNamed:)")
  public static func setupCoreDataStack(withStoreNamed name: String) {
    attempt { try setupStack(storeNamed: name, model: model, configuration: configuration) }
  }

  /// Opens the store with a name, brought over where an older model wrote it.
  @available(*, deprecated, renamed: "Cauldron.setupAutoMigratingStack(storeNamed:)")
  public static func setupCoreDataStack(withAutoMigratingSqliteStoreNamed name: String) {
    attempt {
      try setupAutoMigratingStack(storeNamed: name, model: model, configuration: configuration)
    }
  }

  /// Opens the store in a file, and makes it the default stack.
  @available(*, deprecated, renamed: "Cauldron.setupStack(storeURL:)")
  public static func setupCoreDataStackWithStore(at url: URL) {
    attempt { try setupStack(storeURL: url, model: model, configuration: configuration) }
  }

  /// Opens the store in a file, brought over where an older model wrote it.
  @available(*, deprecated, renamed: "Cauldron.setupAutoMigratingStack(storeURL:)")
  public static func setupCoreDataStackWithAutoMigratingSqliteStore(at url: URL) {
    attempt {
      try setupAutoMigratingStack(storeURL: url, model: model, configuration: configuration)
    }
  }

  /// Finishes the saves under way, writes what else was saved, and closes the default stack, so that another
  /// one can be set up.
  ///
  /// Options and ``errorHandler`` stay; a model that was set as the default one does not.
  @available(*, deprecated, renamed: "Stack.cleanUp()")
  public static func cleanUp() {
    attempt { try Stack.cleanUp() }
    model = nil
  }

  /// Does nothing: without a model the stack takes all `@Entity` classes of the program.
  @available(
    *, deprecated, message: "leave it out, or name the classes: ManagedObjectModel(Person.self)"
  )
  public static func setDefaultModelFrom(_ modelClass: AnyClass) {}
}

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

extension MagicalRecord {
  private static let deletesStore = Locked(false)
  private static let batchSize = Locked(20)
  private static let chosenModel = Locked<ManagedObjectModel?>(nil)

  /// How the set-up calls open a store.
  static var configuration: StackConfiguration {
    var configuration = StackConfiguration()
    if deletesStore.withLock({ $0 }) { configuration.migration = .backUpAndRecreate }
    return configuration
  }

  /// The model that the set-up calls open a store with; nil for all `@Entity` classes of the program.
  static var model: ManagedObjectModel? {
    get { chosenModel.withLock { $0 } }
    set { chosenModel.withLock { $0 = newValue } }
  }

  /// The size that requests in an order get.
  static var defaultBatchSize: Int {
    get { batchSize.withLock { $0 } }
    set { batchSize.withLock { $0 = newValue } }
  }

  /// Whether a store that cannot be brought over gives way to a new one; false by default.
  @available(*, deprecated, message: "see StackConfiguration.migration")
  public static func shouldDeleteStoreOnModelMismatch() -> Bool { deletesStore.withLock { $0 } }

  /// Has the next set-up make a new store where one cannot be brought over; the old one is moved aside,
  /// not deleted.
  @available(*, deprecated, message: "set 'configuration.migration = .backUpAndRecreate'")
  public static func setShouldDeleteStoreOnModelMismatch(_ deletes: Bool) {
    deletesStore.withLock { $0 = deletes }
  }

  /// True: without a model the stack takes all `@Entity` classes of the program.
  @available(*, deprecated, message: "give the stack a model to have another: setupStack(model:)")
  public static func shouldAutoCreateManagedObjectModel() -> Bool { true }

  /// Does nothing: without a model the stack takes all `@Entity` classes of the program.
  @available(*, deprecated, message: "give the stack a model to have another: setupStack(model:)")
  public static func setShouldAutoCreateManagedObjectModel(_ creates: Bool) {}

  /// False: no stack is made unasked.
  @available(*, deprecated, message: "call setupStack() first")
  public static func shouldAutoCreateDefaultPersistentStoreCoordinator() -> Bool { false }

  /// Does nothing: no stack is made unasked.
  @available(*, deprecated, message: "call setupStack() first")
  public static func setShouldAutoCreateDefaultPersistentStoreCoordinator(_ creates: Bool) {}
}

/// How much is reported, by its old name.
@available(*, deprecated, renamed: "Stack.LogLevel")
public typealias MagicalRecordLoggingLevel = Stack.LogLevel

extension Stack.LogLevel {
  /// Everything.
  @available(*, deprecated, renamed: "verbose")
  public static var all: Stack.LogLevel { .verbose }
}

extension MagicalRecord {
  /// How much all stacks report; where nothing is set, what the library's own logger does.
  @available(*, deprecated, renamed: "getter:Stack.logLevel()")
  public static func loggingLevel() -> Stack.LogLevel {
    #if DEBUG
      Stack.logLevel ?? .info
    #else
      Stack.logLevel ?? .error
    #endif
  }

  /// Sets how much all stacks report.
  @available(*, deprecated, message: "set 'Stack.logLevel'")
  public static func setLoggingLevel(_ level: Stack.LogLevel) { Stack.logLevel = level }
}

extension MagicalRecord {
  private static let handler = Locked<(@Sendable (any Error) -> Void)?>(nil)

  /// Is told of each error that an old call meets, on the thread that meets it; nil, the default, for
  /// nobody.
  ///
  /// ```swift
  /// MagicalRecord.errorHandler = { error in print(error) }
  /// ```
  /// It may be set on any thread, and stays after ``cleanUp()``.
  public static var errorHandler: (@Sendable (any Error) -> Void)? {
    get { handler.withLock { $0 } }
    set { handler.withLock { $0 = newValue } }
  }

  /// Logs an error and gives it to ``errorHandler``; nil is no error.
  @available(*, deprecated, message: "new calls throw their errors: catch them")
  public static func handleErrors(_ error: (any Error)?) {
    if let error { report(error) }
  }

  /// Does what an old call asks; what is thrown is reported.
  /// - Parameters:
  ///   - context: Whose log the error goes to; nil for that of the default stack.
  ///   - call: The old call's name, for the log.
  /// - Returns: What the body returns; nil where it throws.
  @discardableResult
  static func attempt<Value>(
    in context: ManagedObjectContext? = nil, call: String = #function, _ body: () throws -> Value
  ) -> Value? {
    do {
      return try body()
    } catch {
      report(error, in: context, call: call)
      return nil
    }
  }

  /// Logs an error, and tells the handler.
  static func report(
    _ error: any Error, in context: ManagedObjectContext? = nil, call: String? = nil
  ) {
    var metadata: Logger.Metadata = [:]
    metadata["call"] = call.map { "\($0)" }
    metadata["code"] = (error as? CauldronError).map { "\($0.code.rawValue)" }
    (context?.logger ?? logger).error("\(error)", metadata: metadata)
    tell(error)
  }

  /// Tells the handler of an error that is logged already.
  static func tell(_ error: any Error) { errorHandler?(error) }

  /// The default stack's log; without a stack, the library's own.
  private static var logger: Logger {
    Stack.isSetUp ? Stack.default.coordinator.logger : Logger.standard.leveled
  }
}

extension MagicalRecord {
  /// The version of Cauldron.
  @available(*, deprecated, renamed: "getter:Stack.libraryVersion()")
  public static func version() -> String { Stack.libraryVersion }

  /// What the default stack is made of, in several lines.
  @available(*, deprecated, renamed: "getter:Stack.default.summary()")
  public static func currentStack() -> String { Stack.default.summary }

  /// The name of the store that ``setupCoreDataStack()`` opens.
  @available(*, deprecated, renamed: "getter:Stack.defaultStoreName()")
  public static func defaultStoreName() -> String { Stack.defaultStoreName }
}

// What has no counterpart: the compiler tells what to do instead.

extension MagicalRecord {
  /// Models are made of classes.
  @available(*, unavailable, message: "models are made of classes: ManagedObjectModel(Person.self)")
  public static func setDefaultModelNamed(_ name: String) {}

  /// There is no handler by selector.
  @available(*, unavailable, message: "set 'MagicalRecord.errorHandler'")
  public static func setErrorHandlerTarget(_ target: Any, action: Any) {}

  /// There is no context of the current thread.
  @available(*, unavailable, message: "name the context: 'context.save { … } completion: { … }'")
  public static func saveUsingCurrentThreadContext(
    _ block: @escaping @Sendable (LocalContext) -> Void,
    completion: (@Sendable (Bool, (any Error)?) -> Void)?
  ) {}

  /// There is no context of the current thread.
  @available(*, unavailable, message: "name the context: 'try context.saveAndWait { … }'")
  public static func saveUsingCurrentThreadContext(blockAndWait block: (LocalContext) -> Void) {}

  /// There is no context of the current thread.
  @available(*, unavailable, message: "name the context: 'context.save { … } completion: { … }'")
  public static func saveInBackgroundUsingCurrentContext(
    _ block: @escaping @Sendable (LocalContext) -> Void, completion: (@Sendable () -> Void)?,
    errorHandler: (@Sendable (any Error) -> Void)?
  ) {}

  /// There are no prefixes.
  @available(*, unavailable, message: "the new calls have no prefixes")
  public static func enableShorthandMethods() {}
}
