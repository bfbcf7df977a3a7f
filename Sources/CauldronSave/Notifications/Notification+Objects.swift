public import CauldronGraph
public import CauldronModel
public import Foundation

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
