public import CauldronModel

/// Decides what happens when a property that was edited here was changed elsewhere, too.
///
/// Each edit remembers what the object showed when it was made. The save is a conflict where the
/// receiver, a parent context or the store, has another value by then, even if it is the one to be
/// saved: two withdrawals that leave the same balance are two. Properties that only others have
/// changed are taken in, and never a conflict. Taking in others' changes, by itself or by
/// `mergeChanges(fromContextDidSave:)`, ends no conflict; only a policy, a
/// rollback or a refresh does.
public enum MergePolicy: Sendable, Hashable {
  /// The save fails with `save.conflict`, which has both sides' values, and nothing changes; the
  /// default. So does an edit of an object that was deleted elsewhere, a deletion of one that was
  /// changed, and a second deletion.
  case error
  /// As ``error``, and for a change of any other property of the object, too: Core Data's rule,
  /// which compares whole rows.
  case strict
  /// The other side's values stay where both have changed a property, and so does its deletion of
  /// the object; own changes to other properties are saved. A deletion is dropped where the other
  /// side has changed the object.
  case mergeByPropertyStoreTrump
  /// The own values are saved where both have changed a property; other properties stay as the
  /// other side has left them. An object that was deleted elsewhere is inserted again, one that was
  /// changed elsewhere is deleted.
  case mergeByPropertyObjectTrump
  /// As ``mergeByPropertyObjectTrump``, but an object in conflict is written whole, as it shows,
  /// which reverts the other side's changes.
  case overwrite
  /// All own changes to an object in conflict are dropped; the rest is saved.
  case rollback
}

/// What a merge policy has kept or dropped of a save, for one property or one deletion.
///
/// ```swift
/// if case .saved(let summary) = try await context.save(toPersistentStore: true) {
///   for resolution in summary.resolutions { print(resolution) }
/// }
/// ```
public struct SaveResolution: Sendable, Hashable {
  /// What became of a change.
  public enum Outcome: String, Sendable, Hashable {
    /// Both sides changed the property; the saved value stands.
    case keptMine
    /// Both sides changed the property; the other side's value stands.
    case tookTheirs
    /// The edit was dropped, because of a conflict in another property or a deletion.
    case droppedEdit
    /// The other side deleted the object; it was inserted again, with its old ID.
    case insertedAgain
    /// The object was deleted, although the other side had changed it.
    case deletedTheirs
    /// The object was not deleted, because the other side had changed it.
    case keptTheirs
    /// The other side had deleted the object, too.
    case deletedAlready
    /// A new object had the unique values of this one and became it.
    case becameExisting
  }

  /// The object.
  public let objectID: ManagedObjectID
  /// The object's entity.
  public let entityName: String
  /// The property; nil for a deletion.
  public let property: String?
  /// What became of the change.
  public let outcome: Outcome
  /// What the object showed before it was edited.
  public let was: AttributeScalar?
  /// The other side's value; nil where it had deleted the object.
  public let theirs: AttributeScalar?
  /// The value that was saved.
  public let mine: AttributeScalar?
}

extension SaveResolution: CustomStringConvertible {
  /// One line without values.
  public var description: String {
    "\(entityName) \(objectID)\(property.map { ".\($0)" } ?? ""): \(outcome.rawValue)"
  }
}
