public import Cauldron

// What has no counterpart: the compiler tells what to do instead.

extension ManagedObjectContext {
  /// There is no context of the current thread.
  @available(*, unavailable, message: "pass the context; 'Stack.save { … }' brings one along")
  public static func mr_contextForCurrentThread() -> ManagedObjectContext { .default }

  /// There is no context of the current thread.
  @available(*, unavailable, message: "there is no context of the current thread")
  public static func mr_clearNonMainThreadContextsCache() {}

  /// There is no context of the current thread.
  @available(*, unavailable, message: "there is no context of the current thread")
  public static func mr_resetContextForCurrentThread() {}

  /// There is no context of the current thread.
  @available(*, unavailable, message: "there is no context of the current thread")
  public static func mr_clearForCurrentThread() {}

  /// A stack has its contexts from the start.
  @available(*, unavailable, message: "a stack has its contexts: 'try Stack(storeURL: url)'")
  public static func mr_initializeDefaultContext(with coordinator: PersistentStoreCoordinator) {}
}
