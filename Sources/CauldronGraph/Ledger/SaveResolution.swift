public import CauldronModel

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
