/// Decides what happens when a property that was edited here was changed elsewhere, too.
///
/// Each edit remembers what the object showed when it was made. The save is a conflict where the
/// receiver, a parent context or the store, has another value by then, even if it is the one to be
/// saved: two withdrawals that leave the same balance are two. Properties that only others have
/// changed are taken in, and never a conflict. Taking in others' changes, by itself or by
/// ``ManagedObjectContext/mergeChanges(fromContextDidSave:)``, ends no conflict; only a policy, a
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
