public import Cauldron
public import Foundation

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
