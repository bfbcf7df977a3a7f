/// Decides what happens when an object was changed elsewhere since it was read.
///
/// Changes to different properties never conflict inside a chain of contexts; they are combined.
public enum MergePolicy: Sendable, Hashable {
  /// The save fails with `save.conflict`, and nothing changes; the default.
  case error
  /// Where both changed a property the other side's value stays; own changes to others are saved.
  case mergeByPropertyStoreTrump
  /// Where both changed a property the own value is saved; the other side's other changes stay.
  case mergeByPropertyObjectTrump
  /// The own object is written whole, which reverts the other side's changes.
  case overwrite
  /// The own changes to the object are dropped.
  case rollback
}
