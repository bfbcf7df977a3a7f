import Cauldron
public import Foundation

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
