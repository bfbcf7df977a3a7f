/// Why an object shows values of another moment; see ``ManagedObject/awakeFromSnapshotEvents(_:)``.
///
/// The numbers are Core Data's.
public struct SnapshotEventType: OptionSet, Sendable, Hashable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The object's creation was undone.
  public static var undoInsertion: SnapshotEventType { SnapshotEventType(rawValue: 2) }
  /// The object's deletion was undone.
  public static var undoDeletion: SnapshotEventType { SnapshotEventType(rawValue: 4) }
  /// Changes of the object were undone.
  public static var undoUpdate: SnapshotEventType { SnapshotEventType(rawValue: 8) }
  /// The context was rolled back.
  public static var rollback: SnapshotEventType { SnapshotEventType(rawValue: 16) }
  /// The object took in what others have saved, because it was asked to or by itself.
  public static var refresh: SnapshotEventType { SnapshotEventType(rawValue: 32) }
  /// A merge policy has changed what was saved of the object.
  public static var mergePolicy: SnapshotEventType { SnapshotEventType(rawValue: 64) }
}
