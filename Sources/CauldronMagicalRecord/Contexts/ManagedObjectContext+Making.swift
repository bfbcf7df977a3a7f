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

extension ManagedObjectContext {
  /// Sets the name that logs and errors use.
  @available(*, deprecated, message: "set 'name'")
  public func mr_setWorkingName(_ name: String) { self.name = name }

  /// The name that logs and errors use.
  @available(*, deprecated, renamed: "getter:name()")
  public func mr_workingName() -> String { name }

  /// Class, address and name.
  @available(*, deprecated, renamed: "getter:description()")
  public func mr_description() -> String { description }

  /// The context and its ancestors, a line for each; this one has a star.
  @available(*, deprecated, message: "use 'parentChain', which has the contexts")
  public func mr_parentChain() -> String {
    "\n" + parentChain.map { "- \($0)\($0 === self ? " (*)" : "")\n" }.joined()
  }
}

extension ManagedObjectContext {
  /// Lets go of the objects of the main context, with what is unsaved.
  @available(*, deprecated, message: "use 'ManagedObjectContext.default.reset()'")
  @MainActor
  public static func mr_resetDefaultContext() { ManagedObjectContext.default.reset() }

  /// Marks objects deleted.
  @available(*, deprecated, renamed: "delete(_:)")
  public func mr_deleteObjects<Object: ManagedObject>(_ objects: some Sequence<Object>) {
    delete(objects)
  }
}

extension ManagedObjectContext {
  /// Takes in what another context saves, on this context's own queue, until ``mr_stopObserving(_:)``.
  @available(*, deprecated, message: "keep what 'mergeSaves(of: other)' returns")
  public func mr_observe(_ other: ManagedObjectContext) { Observations.begin(by: self, of: other) }

  /// Takes in what another context saves, on this context's own queue, until ``mr_stopObserving(_:)``.
  @available(*, deprecated, message: "keep what 'mergeSaves(of: other)' returns")
  public func mr_observe(onMainThread other: ManagedObjectContext) {
    Observations.begin(by: self, of: other)
  }

  /// Takes in no more of what another context saves.
  @available(*, deprecated, message: "cancel what 'mergeSaves(of: other)' has returned")
  public func mr_stopObserving(_ other: ManagedObjectContext) {
    Observations.end(by: self, of: other)
  }
}

/// Which contexts take in the saves of which others, until they are told to stop.
enum Observations {
  private struct Entry: Sendable {
    weak let observer: ManagedObjectContext?
    weak let observed: ManagedObjectContext?
    let observation: ContextObservation
  }

  private static let entries = Locked<[Entry]>([])

  /// Begins, unless it has.
  static func begin(by observer: ManagedObjectContext, of observed: ManagedObjectContext) {
    end(by: observer, of: observed)
    let entry = Entry(
      observer: observer, observed: observed, observation: observer.mergeSaves(of: observed))
    entries.withLock { $0.append(entry) }
  }

  /// Ends, and forgets contexts that are gone.
  static func end(by observer: ManagedObjectContext, of observed: ManagedObjectContext) {
    let ended = entries.withLock { entries in
      let isOver: (Entry) -> Bool = { entry in
        guard let first = entry.observer, let second = entry.observed else { return true }
        return first === observer && second === observed
      }
      defer { entries.removeAll(where: isOver) }
      return entries.filter(isOver)
    }
    for entry in ended { entry.observation.cancel() }
  }
}

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
