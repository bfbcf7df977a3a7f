public import CauldronGraph
public import CauldronModel
import CauldronSQLite
public import Foundation

/// One configured set: a model, a store, a root saving context and a main context.
///
/// The root saving context is private and the only one that writes; the default context is its
/// child, on the main queue. A program may have several stacks; ``Stack/default`` is the one that
/// the short calls use.
public final class Stack: Sendable {
  /// The store's coordinator.
  public let coordinator: PersistentStoreCoordinator
  /// How the contexts hang together.
  public let layout: StackLayout
  /// The context on the coordinator, through which saves reach the file: private in the layout
  /// `.writerRoot`, else the default context.
  public let rootSavingContext: ManagedObjectContext
  /// The context on the main queue. It takes in what others save into its parent or the store.
  public let defaultContext: ManagedObjectContext

  let readLimits: ReadLimits

  /// Opens a store, or creates it, and puts the two contexts on it.
  ///
  /// - Parameters:
  ///   - storeURL: The store's file; nil keeps everything in memory.
  ///   - model: The model; nil takes every `@Entity` class of the program.
  ///   - configuration: How the store is opened, and where to log.
  /// - Throws: ``CauldronError``: `store.…` if the file cannot be used, which is then untouched;
  ///   `model.invalid`.
  /// - Complexity: A handful of statements, whatever the size of the file.
  public convenience init(
    storeURL: URL?, model: ManagedObjectModel? = nil,
    configuration: StackConfiguration = StackConfiguration()
  ) throws {
    try configuration.migration.plan.validate()
    let model = try model ?? ManagedObjectModel.discovered()
    let number = StoreNumbers.next()
    let store = try Self.openStore(storeURL, model, number, configuration.storeOptions)
    self.init(model, store, number, configuration)
  }

  /// Puts the two contexts on a store that is open.
  init(
    _ model: ManagedObjectModel, _ store: any PersistentStore, _ number: Int32,
    _ configuration: StackConfiguration
  ) {
    coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number, logger: configuration.logger.leveled,
      mainQueue: configuration.main, showsValues: configuration.showsValues,
      slowFetch: configuration.slowFetch)
    readLimits = ReadLimits(warning: configuration.readWarning, most: configuration.readLimit)
    layout = configuration.layout
    if layout == .writerRoot {
      rootSavingContext = ManagedObjectContext(
        .private, coordinator: coordinator, name: "Root Saving Context")
      defaultContext = ManagedObjectContext(
        .main, parent: rootSavingContext, name: "Default Context")
    } else {
      defaultContext = ManagedObjectContext(
        .main, coordinator: coordinator, name: "Default Context")
      rootSavingContext = defaultContext
    }
    defaultContext.automaticallyMergesChangesFromParent = true
    reportUnknownLevel()
  }

  deinit { coordinator.endUnusedContexts() }

  /// The model that the store is opened with.
  public var model: ManagedObjectModel { coordinator.managedObjectModel }

  /// Waits for the saves under way, level by level, writes what else was saved into a context, gives
  /// unused keys back and closes the store; later use of its contexts throws `stack.closed`.
  ///
  /// Saves that were asked for before are finished, whatever level they have reached, and their
  /// outcome is the truth; one that is asked for later ends with `stack.closed`. A save that has to
  /// pass the main context needs the main queue: on it, the save passes here; elsewhere the call
  /// waits for it. Where a queue stands still for five seconds, the saves that need it are given up
  /// with `stack.closed`.
  ///
  /// Then all is written that a context has accepted from its children, at whatever level it waits: a
  /// plain `save()` of the main context, say, or of a child. What a context has changed itself and not saved
  /// is never written, also where it is the context on the store, and neither is what builds on that, such
  /// as a reference to an object that was not saved. A warning in the log counts what is lost, by context;
  /// so it does where the store refuses what was saved, which does not hinder the closing. In memory nothing
  /// would be left, and nothing is written.
  /// - Throws: What closing the file meets.
  public func close() throws { try close(patience: 5) }

  /// Closes as `close()` does; a queue stands still after `patience` seconds.
  package func close(patience: Double) throws {
    coordinator.finishSaves(patience: patience)
    // A main context has nothing under way that is not one of the saves.
    if rootSavingContext.concurrencyType != .main { rootSavingContext.drain() }
    coordinator.saveAccepted()
    try coordinator.close()
  }

  static func openStore(
    _ url: URL?, _ model: ManagedObjectModel, _ number: Int32, _ options: SQLiteStoreOptions
  ) throws -> any PersistentStore {
    guard let url else {
      if options.seed != nil { throw CauldronError.seedInMemory }
      return MemoryStore(model: model, storeNumber: number)
    }
    return try SQLiteStore.open(url: url, model: model, storeNumber: number, options: options)
  }
}
