public import CauldronModel

/// Objects of a notification, made when they are asked for.
///
/// Use it where the notification is delivered, on the queue of its context.
public final class LazyObjects {
  private let context: ManagedObjectContext
  /// The objects' IDs.
  public let objectIDs: LazyIDs

  init(_ context: ManagedObjectContext, _ ids: @escaping @Sendable () -> [ManagedObjectID]) {
    self.context = context
    objectIDs = LazyIDs(ids)
  }

  /// The objects; those that the context does not have are faults.
  /// - Complexity: O(objects).
  public var objects: Set<ManagedObject> {
    Set(objectIDs.ids.map { context.object(with: $0) })
  }
}

/// IDs of a notification, worked out when they are asked for.
public struct LazyIDs: Sendable {
  private let make: @Sendable () -> [ManagedObjectID]

  init(_ make: @escaping @Sendable () -> [ManagedObjectID]) { self.make = make }

  /// The IDs.
  /// - Complexity: O(objects).
  public var ids: [ManagedObjectID] { make() }
}
