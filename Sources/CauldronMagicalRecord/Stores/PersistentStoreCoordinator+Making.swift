public import Cauldron
public import Foundation

// A stack that nobody keeps is made for each; contexts on the coordinator work without it. An error is
// reported, and nil returned.

extension PersistentStoreCoordinator {
  /// The coordinator of the default stack; nil where there is none yet.
  @available(*, deprecated, message: "use 'Stack.default.coordinator', which is never nil")
  public static func mr_default() -> PersistentStoreCoordinator! {
    Stack.isSetUp ? Stack.default.coordinator : nil
  }

  /// A coordinator whose store is in memory.
  @available(*, deprecated, message: "use 'try Stack.inMemory()', which has contexts, too")
  public static func mr_coordinatorWithInMemoryStore() -> PersistentStoreCoordinator? {
    MagicalRecord.attempt { try Stack.inMemory(model: MagicalRecord.model).coordinator }
  }

  /// A coordinator on the program's store.
  @available(*, deprecated, message: "use 'try Stack(storeNamed: Stack.defaultStoreName)'")
  public static func mr_new() -> PersistentStoreCoordinator? { named(Stack.defaultStoreName) }

  /// A coordinator on the store with a name.
  @available(*, deprecated, message: "use 'try Stack(storeNamed: name)', which has contexts, too")
  public static func mr_coordinator(
    withSqliteStoreNamed name: String
  ) -> PersistentStoreCoordinator? { named(name) }

  /// A coordinator on the store with a name, brought over where an older model wrote it.
  @available(*, deprecated, message: "use 'try Stack(storeNamed: name)', which has contexts, too")
  public static func mr_coordinator(
    withAutoMigratingSqliteStoreNamed name: String
  ) -> PersistentStoreCoordinator? { named(name) }

  /// A coordinator on the store in a file.
  @available(*, deprecated, message: "use 'try Stack(storeURL: url)', which has contexts, too")
  public static func mr_coordinatorWithSqliteStore(
    at url: URL
  ) -> PersistentStoreCoordinator? { at(url) }

  /// A coordinator on the store in a file, brought over where an older model wrote it.
  @available(*, deprecated, message: "use 'try Stack(storeURL: url)', which has contexts, too")
  public static func mr_coordinatorWithAutoMigratingSqliteStore(
    at url: URL
  ) -> PersistentStoreCoordinator? { at(url) }

  /// A stack keeps its coordinator.
  @available(*, unavailable, message: "use 'Stack.$current.withValue(stack) { … }'")
  public static func mr_setDefaultStoreCoordinator(_ coordinator: PersistentStoreCoordinator?) {}

  /// There is one store to a stack.
  @available(*, unavailable, message: "make a further stack: 'try Stack.inMemory()'")
  public func mr_addInMemoryStore() {}

  /// There is one store to a stack.
  @available(*, unavailable, message: "make a further stack: 'try Stack(storeNamed: name)'")
  public func mr_addAutoMigratingSqliteStoreNamed(_ name: String) {}

  /// There is one store to a stack.
  @available(*, unavailable, message: "make a further stack: 'try Stack(storeURL: url)'")
  public func mr_addAutoMigratingSqliteStore(at url: URL) {}

  private static func named(
    _ name: String, call: String = #function
  ) -> PersistentStoreCoordinator? {
    let (model, configuration) = (MagicalRecord.model, MagicalRecord.configuration)
    return MagicalRecord.attempt(call: call) {
      try Stack(storeNamed: name, model: model, configuration: configuration).coordinator
    }
  }

  private static func at(_ url: URL, call: String = #function) -> PersistentStoreCoordinator? {
    let (model, configuration) = (MagicalRecord.model, MagicalRecord.configuration)
    return MagicalRecord.attempt(call: call) {
      try Stack(storeURL: url, model: model, configuration: configuration).coordinator
    }
  }
}

extension ManagedObjectModel {
  /// The model of the default stack; before there is one, what was set, or else that of all `@Entity`
  /// classes of the program.
  @available(*, deprecated, renamed: "getter:Stack.default.model()")
  public static func mr_default() -> ManagedObjectModel? {
    if Stack.isSetUp { return Stack.default.model }
    return MagicalRecord.model ?? mr_mergedObjectModelFromMainBundle()
  }

  /// The model of all `@Entity` classes of the program; nil where they do not go together, which is
  /// reported.
  @available(*, deprecated, renamed: "ManagedObjectModel.discovered()")
  public static func mr_mergedObjectModelFromMainBundle() -> ManagedObjectModel? {
    MagicalRecord.attempt { try ManagedObjectModel.discovered() }
  }

  /// Sets the model that the next set-up opens its store with; nil for all `@Entity` classes.
  @available(*, deprecated, message: "give the stack its model: 'setupStack(storeURL:model:)'")
  public static func mr_setDefaultManagedObjectModel(_ model: ManagedObjectModel?) {
    MagicalRecord.model = model
  }
}

/// Where stores lie: the old calls on a type that is not needed any more, as a stack has one store.
@available(*, deprecated, message: "there is one store to a stack: see 'Stack.default.coordinator'")
public enum NSPersistentStore {
  /// The default stack's coordinator, which knows the file of its one store; nil where there is none yet.
  @available(*, deprecated, message: "use 'Stack.default.coordinator', which has 'storeURL'")
  public static func mr_default() -> PersistentStoreCoordinator! {
    Stack.isSetUp ? Stack.default.coordinator : nil
  }

  /// Where the store with a name lies; nil for what is no name, which is reported.
  @available(*, deprecated, renamed: "Stack.storeURL(named:)")
  public static func mr_url(forStoreName name: String) -> URL? {
    MagicalRecord.attempt { try Stack.storeURL(named: name) }
  }

  /// Where the store lies that ``MagicalRecord/setupCoreDataStack()`` opens.
  @available(*, deprecated, renamed: "Stack.storeURL()")
  public static func mr_defaultLocalStoreUrl() -> URL? {
    MagicalRecord.attempt { try Stack.storeURL() }
  }

  /// A stack keeps its store.
  @available(*, unavailable, message: "use 'Stack.$current.withValue(stack) { … }'")
  public static func mr_setDefaultPersistentStore(_ store: Any?) {}
}
