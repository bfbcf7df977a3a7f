import CauldronGraph
public import CauldronModel
import CauldronSQLite
public import CauldronStore
import Dispatch
public import Foundation

/// Opens a store, or creates it, in the background, and makes it the default stack; tells how far a
/// migration is, where there is one.
///
/// ```swift
/// try await setupStack(storeURL: url) { progress in print(progress) }
/// ```
/// A task that is cancelled ends the migration with `migration.cancelled`, and the store is as it was; once
/// everything is written, the stack is set up all the same.
/// - Parameters:
///   - storeURL: The store's file; nil keeps everything in memory.
///   - model: The model; nil takes every `@Entity` class of the program.
///   - configuration: How the store is opened, and where to log.
///   - onMigration: Is told about twenty times a second, on a thread in the background, as long as a
///     migration lasts; never where none is needed.
/// - Returns: The stack, which ``Stack/default`` gives from now on.
/// - Throws: As ``setupStack(storeURL:model:configuration:)``; `migration.cancelled`.
@discardableResult
public func setupStack(
  storeURL: URL?, model: ManagedObjectModel? = nil,
  configuration: StackConfiguration = StackConfiguration(),
  onMigration: @escaping @Sendable (MigrationProgress) -> Void
) async throws -> Stack {
  try await Stack.setUpMeanwhile {
    try await Stack(
      storeURL: storeURL, model: model, configuration: configuration, onMigration: onMigration)
  }
}

/// Does what ``setupStack(storeURL:model:configuration:)`` does: a store of another version of the model is
/// brought over unless the configuration forbids it. Here for code that comes from MagicalRecord.
@discardableResult
public func setupAutoMigratingStack(
  storeURL: URL?, model: ManagedObjectModel? = nil,
  configuration: StackConfiguration = StackConfiguration()
) throws -> Stack {
  try setupStack(storeURL: storeURL, model: model, configuration: configuration)
}

extension Stack {
  /// Opens a store, or creates it, in the background, and tells how far a migration is, where there is one.
  ///
  /// - Parameters:
  ///   - storeURL: The store's file; nil keeps everything in memory.
  ///   - model: The model; nil takes every `@Entity` class of the program.
  ///   - configuration: How the store is opened, and where to log.
  ///   - onMigration: Is told about twenty times a second, on a thread in the background.
  /// - Throws: As ``init(storeURL:model:configuration:)``; `migration.cancelled` where the task was
  ///   cancelled meanwhile.
  public convenience init(
    storeURL: URL?, model: ManagedObjectModel? = nil,
    configuration: StackConfiguration = StackConfiguration(),
    onMigration: @escaping @Sendable (MigrationProgress) -> Void
  ) async throws {
    try configuration.migration.plan.validate()
    let model = try model ?? ManagedObjectModel.discovered()
    let number = StoreNumbers.next()
    var options = configuration.storeOptions
    let isCancelled = Locked(false)
    options.onProgress = onMigration
    options.isCancelled = { isCancelled.withLock { $0 } }
    let chosen = options
    let store = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global(qos: .userInitiated).async {
          continuation.resume(
            with: Result {
              try Self.openStore(at: storeURL, model: model, number: number, options: chosen)
            })
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    self.init(model, store, number, configuration)
  }
}

extension Stack {
  /// Says what setting up a stack would do to a store because the model has changed.
  ///
  /// ```swift
  /// let forecast = try Stack.migrationForecast(storeURL: url)
  /// if !forecast.losses.isEmpty { print(forecast) }
  /// ```
  /// Only reads: it takes no lock for writing, and leaves nothing beside a store that nobody has open. What
  /// would keep the store from being opened is told as ``MigrationForecast/problems``.
  /// - Parameters:
  ///   - storeURL: The store's file.
  ///   - model: The model; nil takes every `@Entity` class of the program.
  ///   - configuration: How the store would be opened.
  /// - Throws: `model.invalid`, `migration.invalidPlan`.
  /// - Complexity: A handful of statements; one scan of each table where values can be lost or may not fit.
  public static func migrationForecast(
    storeURL: URL, model: ManagedObjectModel? = nil,
    configuration: StackConfiguration = StackConfiguration()
  ) throws -> MigrationForecast {
    try configuration.migration.plan.validate()
    return StoreForecast(
      url: storeURL, model: try model ?? ManagedObjectModel.discovered(),
      options: configuration.storeOptions
    ).make()
  }
}

extension Stack {
  /// Looks through the whole store for what is wrong with it: pages, keys, links, orders, unique and
  /// required values, hashes and indexes, and values that the classes cannot decode or that are no
  /// case of their enumeration any more.
  ///
  /// ```swift
  /// for finding in try await Stack.default.verify() where finding.standing == .wrong {
  ///   print(finding)
  /// }
  /// ```
  /// It only reads, in one view of the store, and away from all contexts; what is not saved is not
  /// looked at. `cauldron verify` does the same without the program, but for what only its classes
  /// know. A store in memory has no findings.
  /// - Returns: What is wrong; nothing for a good store of this library. In a store of Core Data's there may be
  ///   findings that Core Data leaves: ``StoreFinding/standing`` tells them apart.
  /// - Throws: `store.…` where the file cannot be read; `stack.closed`.
  /// - Complexity: Every page is read, and each table several times.
  public func verify() async throws -> [StoreFinding] {
    let store = coordinator.store
    return try await withCheckedThrowingContinuation { answer in
      DispatchQueue.global(qos: .utility).async {
        answer.resume(with: Result { try store.verify() })
      }
    }
  }
}

extension Stack {
  /// The version of the library.
  public static let libraryVersion = "0.1.0-dev"

  /// What the stack is made of, in several lines: model, store, and the contexts from the default one
  /// up to the one that writes.
  ///
  /// ```swift
  /// print(Stack.default.summary)
  /// ```
  public var summary: String {
    let store = coordinator.storeURL?.path ?? "in memory"
    let entities = model.entities.map(\.name).joined(separator: ", ")
    let chain = defaultContext.parentChain.map { "- \($0)" }.joined(separator: "\n")
    return """
      Model:           \(model.name) (\(entities))
      Store:           \(store)\(coordinator.isClosed ? ", closed" : "")
      Store UUID:      \(coordinator.storeIdentifier)
      Layout:          \(layout)
      Default context: \(defaultContext)
      Context chain:
      \(chain)
      """
  }
}

extension Stack {
  /// Where a migration that loses values leaves a copy of the store as it was: beside it, as
  /// `people.backup.sqlite`. There is one for each store; the next one takes its place.
  public static func backupURL(storeURL: URL) -> URL { StoreBackup(of: storeURL).url }

  /// Has a store be again what it was before values were lost.
  ///
  /// ```swift
  /// try Stack.restoreBackup(storeURL: url)
  /// ```
  /// Runs in one transaction: whatever happens, the store has its present content or the copy's, and the
  /// copy stays. What was saved since it was made is gone then. Other processes that have the store open
  /// see one change. A file that is no database any more is moved aside, as `people.set-aside.sqlite`.
  /// - Throws: ``CauldronError``: `store.noBackup`; `store.alreadyOpen` where a stack of this process has
  ///   it open; `store.foreignDatabase` where the copy is one of another store; `store.corrupt` where the copy is damaged; `store.…` where the file cannot be written.
  /// - Complexity: Proportional to the size of the copy.
  public static func restoreBackup(storeURL: URL) throws {
    try StoreBackup(of: storeURL).restore()
  }
}
