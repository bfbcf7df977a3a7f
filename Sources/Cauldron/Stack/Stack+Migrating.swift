public import CauldronModel
import CauldronSQLite
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
            with: Result { try Self.openStore(storeURL, model, number, chosen) })
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    self.init(model, store, number, configuration)
  }
}
