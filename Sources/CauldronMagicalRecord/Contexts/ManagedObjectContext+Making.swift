public import Cauldron

extension ManagedObjectContext {
  /// The context of the default stack through which every save reaches the store.
  @available(*, deprecated, renamed: "getter:rootSaving()")
  public static func mr_rootSaving() -> ManagedObjectContext { .rootSaving }

  /// The main context of the default stack.
  @available(*, deprecated, renamed: "getter:default()")
  public static func mr_default() -> ManagedObjectContext { .default }

  /// Makes a private context whose saves go to the root saving context.
  @available(*, deprecated, message: "use 'contextWithParent(.rootSaving)'")
  public static func mr_() -> ManagedObjectContext { contextWithParent(.rootSaving) }

  /// Makes a private context whose saves go to another one.
  @available(*, deprecated, renamed: "contextWithParent(_:)")
  public static func mr_context(withParent parent: ManagedObjectContext) -> ManagedObjectContext {
    contextWithParent(parent)
  }

  /// Makes a private context whose saves go to another one.
  @available(*, deprecated, renamed: "contextWithParent(_:)")
  public static func mr_newContext(
    withParent parent: ManagedObjectContext
  ) -> ManagedObjectContext { contextWithParent(parent) }

  /// Makes a private context on a store's coordinator.
  @available(
    *, deprecated, message: "use 'ManagedObjectContext(.private, coordinator: coordinator)'"
  )
  public static func mr_context(
    with coordinator: PersistentStoreCoordinator
  ) -> ManagedObjectContext { ManagedObjectContext(.private, coordinator: coordinator) }

  /// Makes a private context on a store's coordinator.
  @available(
    *, deprecated, message: "use 'ManagedObjectContext(.private, coordinator: coordinator)'"
  )
  public static func mr_newContext(
    with coordinator: PersistentStoreCoordinator
  ) -> ManagedObjectContext { ManagedObjectContext(.private, coordinator: coordinator) }

  /// Makes a private context on the default stack's coordinator: a context belongs to a store.
  @available(
    *, deprecated, message: "use 'ManagedObjectContext(.private, coordinator: coordinator)'"
  )
  public static func mr_newPrivateQueue() -> ManagedObjectContext {
    ManagedObjectContext(.private, coordinator: Stack.default.coordinator)
  }

  /// Makes a private context on the default stack's coordinator: a context belongs to a store.
  @available(
    *, deprecated, message: "use 'ManagedObjectContext(.private, coordinator: coordinator)'"
  )
  public static func mr_new() -> ManagedObjectContext {
    ManagedObjectContext(.private, coordinator: Stack.default.coordinator)
  }

  /// Makes a private context on the default stack's coordinator: a context belongs to a store.
  @available(
    *, deprecated, message: "use 'ManagedObjectContext(.private, coordinator: coordinator)'"
  )
  public static func mr_contextWithoutParent() -> ManagedObjectContext {
    ManagedObjectContext(.private, coordinator: Stack.default.coordinator)
  }

  /// Makes a context on the main queue whose saves go to the root saving context.
  @available(*, deprecated, message: "use 'ManagedObjectContext(.main, parent: parent)'")
  public static func mr_newMainQueue() -> ManagedObjectContext {
    ManagedObjectContext(.main, parent: .rootSaving)
  }
}
