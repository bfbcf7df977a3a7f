import CauldronModel
package import CauldronStore

// The states of an object and the moves between them. The article "States of an object" has the drawing.
// No other file tests or sets a bit.

/// What an object is in its context: whether its row is there and shown, what is unsaved of it, and where
/// it is listed.
///
/// Three questions are independent of each other, so the states are bits:
/// - *Is the row shown?* A fault has not read it; an unread object could not; a gone one has none.
/// - *What is unsaved?* The object is new, edited or deleted here, or nothing of it is unsaved.
/// - *Where is it on its way?* In the running event, in the list of unsaved objects, in a save.
///
/// Moves are the only changes. Each is named after what has happened to the object.
@usableFromInline
package struct ObjectState: Equatable, Sendable {
  @usableFromInline package private(set) var rawValue: UInt32

  private init(_ bits: Bits) { rawValue = bits.rawValue }

  private var bits: Bits {
    get { Bits(rawValue: rawValue) }
    set { rawValue = newValue.rawValue }
  }

  private struct Bits: OptionSet {
    let rawValue: UInt32

    /// The row was not read yet. ``ObjectState/mustFire`` has its value, too.
    static var fault: Bits { Bits(rawValue: 1) }
    /// The row lies in private memory and may be written in place. ``ObjectState/mustPrepareWrite`` has
    /// its value, too.
    static var writable: Bits { Bits(rawValue: 2) }
    /// Created in this context and not saved from it.
    static var new: Bits { Bits(rawValue: 4) }
    /// Edited in this context and not saved from it.
    static var edited: Bits { Bits(rawValue: 8) }
    /// Deleted in this context and not saved from it; or gone without a deletion of the context's own.
    static var deleted: Bits { Bits(rawValue: 16) }
    /// In the list of objects that the running event touched.
    static var inEvent: Bits { Bits(rawValue: 32) }
    /// The row does not exist any more, or the context forgot the object.
    static var gone: Bits { Bits(rawValue: 64) }
    /// The row could not be read; the reason is in the extras.
    static var unread: Bits { Bits(rawValue: 128) }
    /// The context is about to write the object: hooks run.
    static var saving: Bits { Bits(rawValue: 256) }
    /// In the list of the context's unsaved objects.
    static var listed: Bits { Bits(rawValue: 512) }
    /// Stands in for an object that a save validates; an edit of it is no change of the object.
    static var standIn: Bits { Bits(rawValue: 1024) }
    /// Observed, or was until a moment ago; then the context keeps it. ``ObjectState/mustPrepareWrite``
    /// has its value, too.
    static var observed: Bits { Bits(rawValue: 2048) }
    /// The row was read, and `awakeFromFetch()` has not run yet. ``ObjectState/mustAwake`` has its value,
    /// too.
    static var asleep: Bits { Bits(rawValue: 4096) }
    /// A value that is set now is no change.
    static var untracked: Bits { Bits(rawValue: 8192) }
  }
}

// The states that an object begins with.
extension ObjectState {
  /// Registered without its row, which the first access reads.
  package static var fault: ObjectState { ObjectState(.fault) }
  /// Made with the row that it shows; nothing is unsaved.
  package static var shown: ObjectState { ObjectState([]) }
  /// Created by its context in the running event.
  package static var new: ObjectState { ObjectState([.writable, .new, .inEvent]) }
  /// Stands in for an object that a save validates.
  package static var standIn: ObjectState { ObjectState(.standIn) }
  /// Made for an ID that has no row.
  package static var missing: ObjectState { ObjectState([.gone, .deleted]) }
}

// Questions of one bit.
extension ObjectState {
  /// Whether the row was not read yet.
  package var isFault: Bool { bits.contains(.fault) }
  /// Whether the row lies in private memory and may be written in place.
  package var isWritable: Bool { bits.contains(.writable) }
  /// Whether the context has created the object and not saved it.
  package var isNew: Bool { bits.contains(.new) }
  /// Whether the context has edited the saved object and not saved the edit.
  package var isEdited: Bool { bits.contains(.edited) }
  /// Whether the context has deleted the object, or found it gone.
  package var isDeleted: Bool { bits.contains(.deleted) }
  /// Whether the running event has touched the object.
  package var isInEvent: Bool { bits.contains(.inEvent) }
  /// Whether there is no row any more, or the context forgot the object.
  package var isGone: Bool { bits.contains(.gone) }
  /// Whether the row could not be read.
  package var isUnread: Bool { bits.contains(.unread) }
  /// Whether `willSave()` runs, or has run in the save under way.
  package var isSaving: Bool { bits.contains(.saving) }
  /// Whether the context lists the object as unsaved.
  package var isListed: Bool { bits.contains(.listed) }
  /// Whether it only stands in for an object that a save validates.
  package var isStandIn: Bool { bits.contains(.standIn) }
  /// Whether it is observed, or was until a moment ago.
  package var isObserved: Bool { bits.contains(.observed) }
  /// Whether `awakeFromFetch()` is still to run.
  package var isAsleep: Bool { bits.contains(.asleep) }
  /// Whether a value that is set now is no change.
  package var isUntracked: Bool { bits.contains(.untracked) }
}

// Questions of several bits.
extension ObjectState {
  /// Whether the object exists as far as the context knows: it is neither deleted nor gone.
  package var isAlive: Bool { bits.isDisjoint(with: [.deleted, .gone]) }
  /// Whether a row was read or begun and is there, perhaps an old one.
  package var hasRow: Bool { bits.isDisjoint(with: [.fault, .gone]) }
  /// Whether the object shows its row as it is.
  package var isShown: Bool { bits.isDisjoint(with: [.fault, .gone, .unread]) }
  /// Whether it shows its row and is not deleted.
  package var isShownAlive: Bool { bits.isDisjoint(with: [.fault, .gone, .unread, .deleted]) }
  /// Whether the context has deleted it, and it is not gone for another reason.
  package var isDoomed: Bool { bits.intersection([.deleted, .gone]) == .deleted }
  /// Whether its deletion was saved, or it was forgotten; the row may come back all the same.
  package var isDeparted: Bool { bits.intersection([.deleted, .gone]) == .gone }
  /// Whether the context has something to save of it that the running event did not do.
  package var isUnsaved: Bool { !bits.isDisjoint(with: [.new, .edited, .deleted]) }
  /// Whether the context has unsaved changes to it, but for its creation.
  package var hasOwnChanges: Bool { !bits.isDisjoint(with: [.edited, .deleted, .inEvent]) }
  /// Whether nothing is unsaved of it, and nothing may be written in place.
  package var isUntouched: Bool {
    bits.isDisjoint(with: [.new, .edited, .deleted, .inEvent, .writable])
  }
  /// Whether the context would lose nothing of its row with it.
  package var isClean: Bool { bits.isDisjoint(with: [.new, .edited, .deleted, .inEvent, .saving]) }
  /// Whether it is new and nothing else, as nearly all are that an event created.
  package var isNewAlone: Bool { bits == .new }
  /// Whether an edit puts it on the list of the running event.
  ///
  /// A deletion that is in the ledger stands, whatever is edited afterwards.
  package var entersEventWhenEdited: Bool {
    bits.isDisjoint(with: [.inEvent, .deleted, .gone, .standIn])
  }

  /// What a save would do to its row; nil for an object that is clean, gone, or created and deleted.
  package var unsavedKind: RowChange.Kind? {
    switch (isNew, isDeleted) {
    case (true, false): .insertion
    case (false, true): isGone ? nil : .deletion
    case (false, false): isEdited ? .update : nil
    case (true, true): nil
    }
  }

  /// What a save validates: the deletion first, also of a new object.
  package var validatedKind: RowChange.Kind? {
    isDeleted ? .deletion : isNew ? .insertion : isEdited ? .update : nil
  }
}

// Questions that every access to a property asks. They are numbers, as other modules inline them.
extension ObjectState {
  /// Whether a read has to fetch the row first: a fault.
  @inlinable @inline(__always) package var mustFire: Bool { rawValue & 1 != 0 }
  /// Whether a write has to be prepared: the object is observed, or not writable.
  @inlinable @inline(__always) package var mustPrepareWrite: Bool { rawValue & 2050 != 2 }
  /// Whether a read has to run `awakeFromFetch()` first, or to fetch the row: asleep, or a fault.
  @inlinable @inline(__always) package var mustAwake: Bool { rawValue & 4097 != 0 }
}

// Moves: the row is shown, or not.
extension ObjectState {
  /// The object shows a row that it shares.
  package mutating func show() { bits.subtract([.fault, .writable]) }
  /// It is no fault any more, whatever it shows.
  package mutating func endFault() { bits.remove(.fault) }
  /// It forgets its row and all else; on the list it counts for nothing then.
  package mutating func becomeFault() { bits = bits.intersection(.listed).union(.fault) }
  /// Its row could not be read.
  package mutating func becomeUnread() {
    bits.insert(.unread)
    bits.remove(.fault)
  }
  /// Its row is not to be seen here yet; each access looks again.
  package mutating func becomeUnknown() { bits.formUnion([.fault, .unread]) }
  /// Its row could be read after all.
  package mutating func endUnread() { bits.remove(.unread) }
  /// It shows its row, read or unread before.
  package mutating func becomeRead() { bits.subtract([.fault, .unread]) }
  /// It has no row any more, or no context.
  package mutating func vanish() { bits.formUnion([.gone, .deleted]) }
  /// It left the context, or its deletion is done.
  package mutating func becomeGone() { bits.insert(.gone) }
  /// Its context has forgotten it, and what it knew of it.
  package mutating func beForgotten() {
    bits.insert(.gone)
    bits.subtract(.deleted)
  }
  /// The row of an object that was gone is back. Edits of earlier events are no edits of that row.
  package mutating func revive() {
    if !isInEvent { bits.subtract([.edited, .writable]) }
    bits.subtract([.gone, .deleted])
  }
  /// It is there again with its unsaved edits, which a save was refused.
  package mutating func returnWithEdits() { bits.subtract([.gone, .deleted]) }
  /// Whether an object that was gone is back is to be looked up.
  package mutating func lookAgain() { if isGone { bits.insert(.fault) } }
  /// The row was read, and `awakeFromFetch()` has to run.
  package mutating func fallAsleep() { bits.insert(.asleep) }
  /// `awakeFromFetch()` runs.
  package mutating func awake() { bits.remove(.asleep) }
}

// Moves: edits and deletions.
extension ObjectState {
  /// The row lies in private memory from now on.
  package mutating func beginWriting() { bits.insert(.writable) }
  /// The row may not be written in place any more.
  package mutating func endWriting() { bits.remove(.writable) }
  /// The context has begun to edit a saved object.
  package mutating func becomeEdited() { bits.insert(.edited) }
  /// The edit ended where it began.
  package mutating func endEdit() { bits.remove(.edited) }
  /// The running event touches the object.
  package mutating func enterEvent() { bits.insert(.inEvent) }
  /// The running event has nothing to publish of the object for now.
  package mutating func leaveEvent() { bits.remove(.inEvent) }
  /// The edits of the event are in the ledger.
  package mutating func publish() { bits.subtract([.inEvent, .writable]) }
  /// The context deletes the object.
  package mutating func becomeDeleted() { bits.insert(.deleted) }
  /// The deletion is taken back before anything has seen it.
  package mutating func takeDeletionBack() { bits.remove(.deleted) }
  /// A value that is set from now on is no change.
  package mutating func beginUntracked() { bits.insert(.untracked) }
  /// A value that is set from now on is a change.
  package mutating func endUntracked() { bits.remove(.untracked) }
}

// Moves: saves, and changes that end without one.
extension ObjectState {
  /// The context lists it as unsaved.
  /// - Returns: Whether it was not listed.
  package mutating func list() -> Bool { bits.insert(.listed).inserted }
  /// `willSave()` runs.
  package mutating func beginSaving() { bits.insert(.saving) }
  /// The save that ran `willSave()` is over.
  package mutating func endSaving() { bits.remove(.saving) }
  /// Its changes are saved; a deleted object is gone.
  package mutating func settle() {
    if isDeleted {
      bits.remove(.deleted)
      bits.insert(.gone)
    }
    bits.subtract([.new, .edited, .listed])
  }
  /// Changes that left with a save are unsaved again, as the save was refused.
  package mutating func becomeUnsaved(_ kind: RowChange.Kind) {
    switch kind {
    case .insertion: bits.insert(.new)
    case .update: bits.insert(.edited)
    case .deletion:
      bits.insert(.deleted)
      bits.remove(.gone)
    }
  }
  /// Its edits are cancelled, and it shows a shared row.
  package mutating func cancelEdits() { bits.subtract([.edited, .writable]) }
  /// Its unsaved changes are cancelled, and it has no row without them.
  package mutating func cancelChanges() {
    bits.subtract([.new, .edited, .deleted, .inEvent, .writable])
    bits.insert(.gone)
  }
  /// A rollback has dropped its creation.
  package mutating func rollBackCreation() { bits = [.gone, .deleted] }
  /// A rollback has dropped its edits or its deletion.
  package mutating func rollBack() {
    bits.subtract([.edited, .deleted, .inEvent, .writable, .gone, .listed])
  }
}

// Moves: a new object turns out to be an existing one, or a fault a new object.
extension ObjectState {
  /// The context creates the object, of which it had the ID alone.
  package mutating func becomeNew() {
    bits = bits.intersection([.observed, .listed]).union([.writable, .new, .inEvent])
  }
  /// The row that the object was to insert exists; the object stands for it from now on.
  package mutating func endCreation() { bits.remove(.new) }
  /// The same, and nothing of the object is unsaved any more.
  package mutating func cancelCreation() { bits.subtract([.new, .edited, .inEvent, .writable]) }
  /// The object has become one that the context has already, and leaves it.
  package mutating func mergeIntoOther() {
    bits.subtract([.new, .edited, .inEvent])
    bits.insert(.gone)
  }
  /// The unsaved changes of an object that was merged into this one are this one's.
  package mutating func takeOverChanges() { bits.formUnion([.edited, .listed]) }
}

// Moves: observation.
extension ObjectState {
  /// - Returns: Whether it was not observed.
  package mutating func beginObserved() -> Bool { bits.insert(.observed).inserted }
  package mutating func endObserved() { bits.remove(.observed) }
}

// What the rest of the module and saves ask an object; `isFault` and `isDeleted` are public.
extension ManagedObject {
  package final var isWritable: Bool { state.isWritable }
  package final var isNew: Bool { state.isNew }
  package final var isEdited: Bool { state.isEdited }
  final var isInEvent: Bool { state.isInEvent }
  package final var isGone: Bool { state.isGone }
  final var isUnread: Bool { state.isUnread }
  package final var isSaving: Bool { state.isSaving }
  package final var isListed: Bool { state.isListed }
  final var isStandIn: Bool { state.isStandIn }
  final var isObserved: Bool { state.isObserved }
  final var isAsleep: Bool { state.isAsleep }
  final var isUntracked: Bool { state.isUntracked }
  package final var isAlive: Bool { state.isAlive }
  final var hasRow: Bool { state.hasRow }
  final var isShown: Bool { state.isShown }
  final var isShownAlive: Bool { state.isShownAlive }
  package final var isDoomed: Bool { state.isDoomed }
  final var isDeparted: Bool { state.isDeparted }
  package final var isUnsaved: Bool { state.isUnsaved }
  final var hasOwnChanges: Bool { state.hasOwnChanges }
  final var isUntouched: Bool { state.isUntouched }
  final var isNewAlone: Bool { state.isNewAlone }
  final var entersEventWhenEdited: Bool { state.entersEventWhenEdited }
  final var unsavedKind: RowChange.Kind? { state.unsavedKind }

  /// Has the object make a move.
  @discardableResult @inlinable @inline(__always)
  package final func change<R>(_ move: (inout ObjectState) -> R) -> R { move(&state) }
}
