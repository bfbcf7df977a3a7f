import CauldronLedger
public import CauldronModel
import CauldronQuery
import CauldronStore
import Foundation

extension ManagedObject {
  /// The object's ID, which may cross queues.
  ///
  /// It never changes, but for an object that was created while somebody else wrote to the store: its
  /// ID is provisional, and changes once, by ``ManagedObjectContext/obtainPermanentIDs(for:)`` or when the object
  /// itself is saved to the store. The old ID leads to the object as long as the stack exists.
  ///
  /// So it is with a new object that becomes another one at a save, because that one has its unique
  /// values.
  public final var objectID: ManagedObjectID {
    let id = registeredID
    return core._withUnsafeGuaranteedRef { id.followed($0.coordinator.ledger.provisional) }
  }

  /// The object's context; nil once the context is gone or has been reset, or the object's deletion was
  /// saved.
  public final var managedObjectContext: ManagedObjectContext? {
    isGone && !isDeleted ? nil : context
  }

  /// The description of the object's entity.
  public final var entity: EntityDescription { layout.description }

  /// Whether the object was created in this context, or by a child's save, and not saved from here.
  public final var isInserted: Bool {
    !isUnmade && (isNew || pendingKind == .insertion)
  }

  /// Whether it was created and deleted, and there is nothing to save of it.
  private var isUnmade: Bool { isNew && isDeleted && !isInEvent }

  /// Whether the object was changed in this context, or by a child's save, and not saved from here.
  ///
  /// So is the owner of a to-many relationship that was changed in this context, from whichever side.
  public final var isUpdated: Bool {
    let pending = pendingKind
    if isGone { return pending == .update }
    if isNew || pending == .insertion { return false }
    let isUpdated = isEdited ? isEditedStill || isUpdatedByChild : pending == .update
    return isUpdated || isTouched
  }

  /// Whether a child has saved a change of it.
  /// - Complexity: O(layers).
  private var isUpdatedByChild: Bool {
    core._withUnsafeGuaranteedRef { core in
      core.coordinator.ledger.layers(of: core.node).contains { layer in
        layer.origin !== core.node && layer.changes.change(registeredID)?.kind == .update
      }
    }
  }

  /// Whether an edited object differs from what it was before, also in the middle of an event.
  private var isEditedStill: Bool {
    guard isInEvent, let edits = extras?.edits, let base = edits.eventBase,
      let committed = edits.committed, !core._withUnsafeGuaranteedRef({ $0.tellsChangesLate })
    else { return true }
    let changed = eventEdits(since: base.row)
    // The event has left it alone: it was edited before, or a child has saved it.
    if changed.isEmpty { return pendingKind != nil }
    // Nothing but the event has edited it.
    if committed.row == base.row { return true }
    if !edits.restated.isEmpty || !self.edits(since: committed.row).isEmpty { return true }
    return !core._withUnsafeGuaranteedRef { CancelledChanges($0).endsEdits(of: self, changed) }
  }

  /// Whether it was found gone while it was edited: its edits wait still.
  var isGoneUnsaved: Bool { isGone && isDeleted && !isNew }

  /// What a save would do to the object's row if it began now.
  var unsavedKindNow: RowChange.Kind? {
    switch unsavedKind {
    case .update: isEditedStill ? .update : nil
    case let kind?: layout.isJoin && (isRemade || goesWithEnd) ? nil : kind
    case nil: nil
    }
  }

  /// Whether it is a link that was made and of which the running event has deleted one end: the end of the
  /// event takes it away.
  private var goesWithEnd: Bool {
    guard isNew, !core._withUnsafeGuaranteedRef({ $0.event.deletions.isEmpty }) else {
      return false
    }
    let row = RowPointer(row)
    return layout.properties.contains { end in
      guard let root = end.destination?.entity.rootNumber else { return false }
      return core._withUnsafeGuaranteedRef {
        let object = $0.registry.object(row.slot(end.index), root: root)
        return object.map { $0.isDeleted && $0.isInEvent && !$0.isGone } ?? false
      }
    }
  }

  /// Whether it is a link that the running event has made again as it was before an earlier one took it
  /// away; both objects are the link.
  private var isRemade: Bool {
    core._withUnsafeGuaranteedRef { core in
      guard let link = core.registry.object(key, root: layout.rootNumber), !core.tellsChangesLate
      else { return false }
      return CancelledChanges(core).isRemade(link)
    }
  }

  /// Whether the object was deleted and the deletion not saved, or found to be gone.
  public final var isDeleted: Bool { state.isDeleted }

  /// Whether the context has unsaved changes to the object.
  ///
  /// There is nothing to save of an object that was found to be gone.
  public final var hasChanges: Bool {
    isInserted || isUpdated || isDeleted && !isUnmade && (isInEvent || pendingKind == .deletion)
  }

  /// Whether the object's row was not read yet.
  public final var isFault: Bool { state.isFault }

  private var pendingKind: RowChange.Kind? {
    core._withUnsafeGuaranteedRef { core in
      if core.pending.hasDropped(objectID) { core.keys.settleRefreshes() }
      return core.coordinator.ledger.pendingKind(objectID, in: core.node)
    }
  }

  /// Reads the object's row if it was not read yet; the throwing form of a property access.
  ///
  /// - Throws: `object.notFound`, or what reading it met: `store.badValue`, `store.corrupt`, ….
  /// - Complexity: One statement for a fault that no cache knows.
  public final func load() throws {
    _check()
    try core._withUnsafeGuaranteedRef { try $0.reader.load(self) }
    _ready()
    if isGone { throw CauldronError.notFound(self) }
  }

  /// Marks the object deleted; the delete rules of its relationships are applied at the end of the
  /// event.
  ///
  /// ``prepareForDeletion()`` is called first, also where the object is deleted already.
  public final func delete() { core._withUnsafeGuaranteedRef { $0.deleter.delete(self) } }
}

extension ManagedObject: Hashable {
  /// Objects are equal if they are the same one; a context has one object for a row.
  public static func == (a: ManagedObject, b: ManagedObject) -> Bool { a === b }

  public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Objects are arguments of format strings by their IDs.
extension ManagedObject: FormatObject {
  package var formatObjectID: ManagedObjectID { objectID }
}
