import CauldronModel

/// What only objects that were edited, walked or observed or could not be read need.
final class ObjectExtras {
  /// The row before the context's unsaved edits; nil for an object that they insert. Where others
  /// changed the object since, the properties without edits are theirs.
  var committed: HeldRow?
  /// The row as of the last event boundary, which the current event's edits are compared with.
  var eventBase: HeldRow?
  /// The row at the event's first edit, whatever was taken in since.
  var eventFirst: HeldRow?
  /// What others made of the row during the event; `eventBase` has the rest of it, and for the
  /// properties that the event has edited what they were before.
  var eventTheirs: HeldRow?
  /// The to-one references that a deletion made nil, and nobody has set since.
  var nullified = PropertySet()
  /// The ends of one-to-one links that the event has set to what they showed; they count as edited.
  var restated = PropertySet()
  /// What the object's deletion has done to others, so that it can be taken back as a whole.
  var entailed: [Entailment] = []
  /// The to-many relationships that were walked: the objects' IDs, by property index.
  var toMany: [Int: ToManyCache] = [:]
  /// What the object shows that is no change of it.
  var untracked: UntrackedValues?
  /// The values of transient properties.
  var transient: [Int: Any] = [:]
  /// The properties that are observed, as long as they are.
  var observed: [ObservedCell.Place] = []
  /// Why the row could not be read.
  var error: CauldronError?
}

extension ObjectExtras {
  /// Whether others have changed the object since its first unsaved edit, and it was taken in.
  var isOvertaken: Bool {
    eventTheirs != nil || committed?.row.maker == RowPointer.composed
  }

  /// What the event has edited counts as edited after what was taken in last.
  func standOnTheirs() {
    if let eventTheirs { (eventBase, eventFirst) = (eventTheirs, eventTheirs) }
    eventTheirs = nil
  }

  /// The event's edits are published, or dropped.
  func endEvent() {
    (eventBase, eventFirst, eventTheirs) = (nil, nil, nil)
    restated = PropertySet()
  }

  /// The object has no unsaved edits any more.
  func forgetEdits() {
    committed = nil
    nullified = PropertySet()
    entailed = []
  }
}
