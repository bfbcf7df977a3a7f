/// A mended defect that a test puts back, to see whether random operations find it.
///
/// Only debug builds can: elsewhere ``PersistentStoreCoordinator/has(_:)`` is false at compile time.
package enum PlantedDefect: Sendable, Hashable {
  /// What a parent has changed in its running event is unknown to its children.
  case unseenEvents
  /// An end of a one-to-one link that shows the new value already is not edited.
  case staleEnds
  /// A policy that drops one end of a link keeps the ends that were edited with it.
  case lostThirds
  /// An object that a policy restores is not led back to.
  case halfRestored
  /// A refresh of one end leaves the other end as it was edited.
  case halfRefreshed
  /// A context shows what an awaited call has saved only in the next turn of its queue.
  case lateAncestors
  /// Closing a stack writes nothing that contexts have accepted.
  case lostAccepted
  /// An undo judges cascades by where links lead before it restores them.
  case cascadesFirst
  /// An object that a policy brings back in a context counts as a new one there.
  case restoredAsNew
  /// A context goes on to show the object deleted that a child's save has brought back.
  case standingDeletions
  /// A row that is written or restored as a whole lacks the values that its object has merged.
  case staleRows
  /// The key of an object that comes back is exchanged for that of an object with its unique values.
  case exchangedCommitted
  /// What children have saved into a context is not among its inserted, updated and deleted objects.
  case unlistedReceipts
  /// A value that a later event sets back stays an edit.
  case keptSetBack
  /// A value that is set counts as changed until the event ends, also where it is equal.
  case lateChanges
  /// Edits that stay behind lie on top of what a child has changed after them.
  case keptOvertaken
  /// A policy that drops a save's changes to an object keeps those in another part of the save.
  case keptElsewhere

  static let ofPairs: Set<PlantedDefect> = [.staleEnds, .lostThirds, .halfRestored, .halfRefreshed]
}
