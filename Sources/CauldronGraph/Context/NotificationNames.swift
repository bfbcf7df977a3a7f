public import Foundation

extension ManagedObjectContext {
  /// Posted before a save validates; observers may still change objects. No user info.
  /// A save of the same context there is refused with `validation.failed`, as in a hook of a save.
  public static let willSaveObjectsNotification = Notification.Name(
    "NSManagedObjectContextWillSaveNotification")
  /// Posted after a save, with the created, changed and deleted objects.
  public static let didSaveObjectsNotification = Notification.Name(
    "NSManagedObjectContextDidSaveNotification")
  /// Posted after a save, with the IDs of the created, changed and deleted objects.
  public static let didSaveObjectIDsNotification = Notification.Name(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
  /// Posted at the end of an event that changed or refreshed objects, after merges that registered
  /// objects have to do with, and by `rollback` and `reset`.
  public static let didChangeObjectsNotification = Notification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// Posted after a merge, with the IDs of what was merged.
  public static let didMergeChangesObjectIDsNotification = Notification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")

  /// The keys of the notifications' user info, spelt as in Core Data.
  public enum NotificationKey: String, Sendable {
    /// A ``LazyObjects`` of created objects.
    case insertedObjects = "inserted"
    /// A ``LazyObjects`` of changed objects.
    case updatedObjects = "updated"
    /// A ``LazyObjects`` of deleted objects.
    case deletedObjects = "deleted"
    /// A ``LazyObjects`` of registered objects that took in changes saved elsewhere, or were
    /// refreshed or rolled back.
    case refreshedObjects = "refreshed"
    /// A ``LazyObjects`` of objects that were found to be deleted elsewhere; often absent.
    case invalidatedObjects = "invalidated"
    /// The ``LazyIDs`` of all objects that a reset has made unusable; absent but after a reset.
    case invalidatedAllObjects = "invalidatedAll"
    /// The IDs of created objects.
    case insertedObjectIDs = "inserted_objectIDs"
    /// The IDs of changed objects.
    case updatedObjectIDs = "updated_objectIDs"
    /// The IDs of deleted objects.
    case deletedObjectIDs = "deleted_objectIDs"
    /// The IDs of registered objects that took in changes saved elsewhere.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// The IDs of objects that were found to be deleted elsewhere; often absent.
    case invalidatedObjectIDs = "invalidated_objectIDs"
    /// The ``ContextChange`` that tells all of it as a value.
    case change
  }
}
