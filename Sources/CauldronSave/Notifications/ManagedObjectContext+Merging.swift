public import CauldronGraph
import CauldronLedger
public import CauldronModel
public import Foundation

extension ManagedObjectContext {
  /// Whether the context takes in by itself what siblings save into its parent or the store; false
  /// by default.
  ///
  /// The merge runs as an event of its own on the context's queue; unsaved edits stay on top.
  public var automaticallyMergesChangesFromParent: Bool {
    get { core.settings.isMerging }
    set { core.coordinator.setMerging(of: core, to: newValue) }
  }

  /// Whether the context sees what its ancestors have not saved; true by default.
  ///
  /// With false it reads as if its ancestors had no unsaved changes: what the store has, and its own
  /// changes, also those that it has saved into its parent. It is meant to be set before the first
  /// read, for objects that were read already keep their values. Saves go to the parent all the same
  /// and are checked there, so a newer unsaved edit of the parent, which the context cannot see, is
  /// a conflict that its merge policy decides. With
  /// ``automaticallyMergesChangesFromParent`` it takes in what is committed, and nothing else.
  /// May be used on any thread.
  public var readsUncommitted: Bool {
    get { core.coordinator.ledger.readsUncommitted(core.node) }
    set { core.coordinator.ledger.setReadsUncommitted(newValue, of: core.node) }
  }

  /// Takes in what another context on the same store has saved.
  ///
  /// Registered objects are refreshed, and unsaved edits stay on top; deleted ones are gone. The
  /// context's own save and a save on another store are ignored. May be called on any thread: on
  /// the context's own queue it is done at return, else as an event of its own.
  public func mergeChanges(fromContextDidSave change: ContextChange) {
    guard change.source !== core.node,
      change.storeNumber == core.coordinator.storeNumber
    else { return }
    for set in change.sets { core.catchUp.receive(set, as: .sibling) }
    // Inside an event, too: it was asked for.
    if core.ownership.isCallers {
      core.publisher.runEvent { core.catchUp.run() }
    }
  }

  /// Takes in what another context on the same store has saved, as its notification tells it.
  ///
  /// ```swift
  /// NotificationCenter.default.addObserver(
  ///   forName: ManagedObjectContext.didSaveObjectsNotification, object: other, queue: nil
  /// ) { context.mergeChanges(fromContextDidSave: $0) }
  /// ```
  /// A notification that is not of a save of this library is ignored; otherwise as
  /// ``mergeChanges(fromContextDidSave:)-(ContextChange)``.
  public func mergeChanges(fromContextDidSave notification: Notification) {
    let key = NotificationKey.change.rawValue
    guard let change = notification.userInfo?[key] as? ContextChange, change.kind == .didSave
    else { return }
    mergeChanges(fromContextDidSave: change)
  }

  /// Takes in by itself what another context on the same store saves.
  ///
  /// ```swift
  /// let following = main.mergeSaves(of: background)
  /// ```
  /// Each save is merged as ``mergeChanges(fromContextDidSave:)-(ContextChange)`` does it, on this context's
  /// own queue, so no context waits for the other. Neither context is kept.
  /// - Returns: The observation, which lasts as long as it is kept, or until it is cancelled.
  public func mergeSaves(of other: ManagedObjectContext) -> ContextObservation {
    other.observe { [weak self] change in
      guard change.kind == .didSave else { return }
      self?.mergeChanges(fromContextDidSave: change)
    }
  }
}

/// Ends an observation when it goes away, or is told to.
public final class ContextObservation: Sendable {
  private let observers: ContextObservers
  private let number: Int

  init(_ observers: ContextObservers, _ number: Int) {
    self.observers = observers
    self.number = number
  }

  deinit { cancel() }

  /// Ends the observation.
  public func cancel() { observers.remove(number) }
}

extension ManagedObjectContext {
  /// Calls a closure at each save, change and merge of the context, on the thread that does it.
  ///
  /// ```swift
  /// let observation = context.observe { change in
  ///   if change.kind == .didSave { print(change.inserted) }
  /// }
  /// ```
  /// - Returns: The observation, which lasts as long as it is kept.
  public func observe(
    _ handler: @escaping @Sendable (ContextChange) -> Void
  ) -> ContextObservation {
    ContextObservation(core.announcer.observers, core.announcer.observers.add(handler))
  }

  /// The context's saves, changes and merges from now on, in order.
  ///
  /// ```swift
  /// for await change in context.changes where change.kind == .didSave { … }
  /// ```
  public var changes: AsyncStream<ContextChange> {
    let observers = core.announcer.observers
    return AsyncStream { continuation in
      let number = observers.add { continuation.yield($0) }
      continuation.onTermination = { _ in observers.remove(number) }
    }
  }
}

/// What a notification of a context carries; empty where it is one of another kind.
extension Notification {
  /// The objects that were created. They are used on the queue of the context.
  ///
  /// ```swift
  /// for case let person as Person in notification.insertedObjects { print(person.name) }
  /// ```
  /// - Complexity: O(objects), as for all sets of a notification.
  public var insertedObjects: Set<ManagedObject> { objects(.insertedObjects) }
  /// The objects that were changed.
  public var updatedObjects: Set<ManagedObject> { objects(.updatedObjects) }
  /// The objects that were deleted.
  public var deletedObjects: Set<ManagedObject> { objects(.deletedObjects) }
  /// The objects that took in changes saved elsewhere, or were refreshed or rolled back.
  public var refreshedObjects: Set<ManagedObject> { objects(.refreshedObjects) }
  /// The objects that were found to be deleted elsewhere.
  public var invalidatedObjects: Set<ManagedObject> { objects(.invalidatedObjects) }

  /// The IDs of the objects that were created, of a notification with objects or with IDs.
  public var insertedObjectIDs: Set<ManagedObjectID> { ids(\.inserted) }
  /// The IDs of the objects that were changed.
  public var updatedObjectIDs: Set<ManagedObjectID> { ids(\.updated) }
  /// The IDs of the objects that were deleted.
  public var deletedObjectIDs: Set<ManagedObjectID> { ids(\.deleted) }
  /// The IDs of the objects that took in changes saved elsewhere, or were refreshed or rolled back.
  public var refreshedObjectIDs: Set<ManagedObjectID> { ids(\.refreshed) }
  /// The IDs of the objects that were found to be deleted elsewhere.
  public var invalidatedObjectIDs: Set<ManagedObjectID> { ids(\.invalidated) }
  /// The IDs of the objects that a reset has made unusable.
  public var invalidatedAllObjectIDs: Set<ManagedObjectID> { ids(\.invalidatedAll) }

  /// All that the notification tells, as a value that may go to any task; nil where it is none of a
  /// context, or one that comes before a save.
  public var contextChange: ContextChange? {
    userInfo?[ManagedObjectContext.NotificationKey.change.rawValue] as? ContextChange
  }

  private func objects(_ key: ManagedObjectContext.NotificationKey) -> Set<ManagedObject> {
    (userInfo?[key.rawValue] as? LazyObjects)?.objects ?? []
  }

  private func ids(_ part: (ContextChange) -> [ManagedObjectID]) -> Set<ManagedObjectID> {
    Set(contextChange.map(part) ?? [])
  }
}
