public import CauldronModel

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
