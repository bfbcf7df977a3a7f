public import CauldronModel
public import Foundation

/// The user info of a kind of notification, with values still to be put in.
///
/// Notifications are posted whether anybody listens or not, so what they carry must cost little:
/// the keys are hashed once, and a copy of the dictionary is given its values in place.
///
/// `@unchecked Sendable` because nothing changes after `init`, and the placeholders are numbers.
struct UserInfo: @unchecked Sendable {
  typealias Key = ManagedObjectContext.NotificationKey
  typealias Part = LazyIDs.Part

  static let objects = UserInfo([.inserted, .updated, .deleted], \.objectsKey)
  static let mergedObjects = UserInfo([.inserted, .refreshed, .deleted], \.objectsKey)
  static let ids = UserInfo([.inserted, .updated, .deleted], \.idsKey)
  static let mergedIDs = UserInfo([.inserted, .updated, .deleted, .refreshed], \.idsKey)

  private typealias Index = Dictionary<AnyHashable, Any>.Index

  private let template: [AnyHashable: Any]
  private let slots: [(part: Part, index: Index)]
  private let change: Index
  private let key: (Part) -> Key

  private init(_ parts: [Part], _ key: @escaping (Part) -> Key) {
    let keys = parts.map(key) + [.change]
    let template: [AnyHashable: Any] = Dictionary(
      uniqueKeysWithValues: keys.map { (AnyHashable($0.rawValue), 0) })
    let indices = keys.map { template.index(forKey: $0.rawValue) ?? template.endIndex }
    self.template = template
    slots = Array(zip(parts, indices))
    change = indices[parts.count]
    self.key = key
  }

  /// - Parameter value: Makes the value of a part.
  func filled(from change: ContextChange, value: (Part) -> Any) -> [AnyHashable: Any] {
    var info = template
    for (part, index) in slots { info.values[index] = value(part) }
    info.values[self.change] = change
    // Few changes have more parts than their kind always has.
    for part in change.rareParts where !slots.contains(where: { $0.part == part }) {
      info[key(part).rawValue] = value(part)
    }
    return info
  }
}

extension LazyIDs.Part {
  fileprivate var objectsKey: UserInfo.Key {
    switch self {
    case .inserted: .insertedObjects
    case .updated: .updatedObjects
    case .deleted: .deletedObjects
    case .refreshed: .refreshedObjects
    case .invalidated: .invalidatedObjects
    case .invalidatedAll: .invalidatedAllObjects
    }
  }

  fileprivate var idsKey: UserInfo.Key {
    switch self {
    case .inserted: .insertedObjectIDs
    case .updated: .updatedObjectIDs
    case .deleted: .deletedObjectIDs
    case .refreshed: .refreshedObjectIDs
    case .invalidated: .invalidatedObjectIDs
    case .invalidatedAll: .invalidatedAllObjects
    }
  }
}

extension ContextChange {
  fileprivate var rareParts: [LazyIDs.Part] {
    if parts.isEmpty { return [] }
    var result: [LazyIDs.Part] = []
    if !parts.refreshed.isEmpty { result.append(.refreshed) }
    if !parts.invalidated.isEmpty { result.append(.invalidated) }
    if parts.invalidatedAll != nil { result.append(.invalidatedAll) }
    return result
  }
}

/// Objects of a notification, made when they are asked for.
///
/// Use it where the notification is delivered, on the queue of its context.
public struct LazyObjects {
  /// Where a notification's objects come from.
  ///
  /// One object for all parts of a notification: so a part fits into an `Any` as it is.
  final class Source {
    fileprivate let context: ManagedObjectContext
    /// Deleted objects that the context has let go of already.
    fileprivate let forgotten: [ManagedObject]

    init(_ context: ManagedObjectContext, forgotten: [ManagedObject]) {
      self.context = context
      self.forgotten = forgotten
    }
  }

  private let source: Source
  /// The objects' IDs.
  public let objectIDs: LazyIDs

  init(_ source: Source, _ ids: LazyIDs) {
    self.source = source
    objectIDs = ids
  }

  /// The objects; those that the context does not have are faults.
  /// - Complexity: O(objects).
  public var objects: Set<ManagedObject> {
    let context = source.context
    let forgotten = objectIDs.part == .deleted ? source.forgotten : []
    if forgotten.isEmpty { return Set(objectIDs.ids.map { context.object(with: $0) }) }
    let ids = Set(objectIDs.ids).subtracting(forgotten.map(\.objectID))
    return Set(forgotten).union(ids.map { context.object(with: $0) })
  }
}

@available(*, unavailable, message: "carry 'objectIDs' to another context instead")
extension LazyObjects: Sendable {}

/// IDs of a notification, worked out when they are asked for.
public struct LazyIDs: Sendable {
  enum Part { case inserted, updated, deleted, refreshed, invalidated, invalidatedAll }

  private let change: ContextChange
  fileprivate let part: Part

  init(_ change: ContextChange, _ part: Part) {
    self.change = change
    self.part = part
  }

  /// The IDs.
  /// - Complexity: O(objects).
  public var ids: [ManagedObjectID] {
    switch part {
    case .inserted: change.inserted
    case .updated: change.updated
    case .deleted: change.deleted
    case .refreshed: change.refreshed
    case .invalidated: change.invalidated
    case .invalidatedAll: change.invalidatedAll
    }
  }
}

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
