import CauldronLedger
package import CauldronModel
import CauldronQuery
import CauldronStore

/// What is edited and not saved: where the rows of edits are written, which objects the event has touched,
/// what earlier events have left unsaved, and where these objects lead.
///
/// It reads nothing: the row of an object that is to be edited was read.
package final class Drafts {
  /// Where new rows and edited copies are written.
  @exclusivity(unchecked) package var builder = RowBuilder()
  /// What is unsaved.
  @exclusivity(unchecked) var pending = Pending()
  /// Whether what is edited is noted; nil where there is no undo manager.
  @exclusivity(unchecked) var undoRegistration: UndoRegistration?
  let place: Place
  let settings: SharedSettings
  let ownership: Ownership
  let event: EventState

  init(place: Place, settings: SharedSettings, ownership: Ownership, event: EventState) {
    self.place = place
    self.settings = settings
    self.ownership = ownership
    self.event = event
  }

  /// Puts an object on the list of what the event touched.
  package func touch(_ object: ManagedObject) {
    if event.isSettled {
      place.node.unpublished.store(LedgerNode.Unpublished.edits)
      if ownership.kind == .main, event.depth == 0 { ownership.queueEnd(of: event) }
    }
    ownership.changeLists { event.touch(object) }
    noteReferences(of: object)
  }

  /// Has the end of the event tell of a refreshed object.
  package func note(refreshed object: ManagedObject) {
    if event.isEmpty, ownership.kind == .main, event.depth == 0 { ownership.queueEnd(of: event) }
    event.note(refreshed: object.objectID)
  }

  /// Makes an object's row private, so that a property can be written.
  func begin(_ object: ManagedObject) {
    if object.isUntracked {
      prepareUntracked(object)
      object.change { $0.beginWriting() }
      return
    }
    let extras = object.makeExtras()
    let shown = RowPointer(object.row)
    let base = extras.edits.untracked?.row ?? shown.held(by: object.owner)
    let isFirst = !object.isNew && !object.isEdited
    if isFirst { object.change { $0.becomeEdited() } }
    extras.edits.begin(at: base, isFirst: isFirst)
    let row = builder.copy(shown, object.layout)
    object.move(to: row)
    object.change { $0.beginWriting() }
    if object.entersEventWhenEdited {
      object.change { $0.enterEvent() }
      touch(object)
    }
  }

  /// Whether what is edited can be undone.
  var isUndone: Bool { undoRegistration?.isEnabled == true }

  // MARK: Edits that wait, or are dropped

  /// Keeps an edited object back until its row is read.
  func holdBack(_ object: ManagedObject) { ownership.changeLists { pending.holdBack(object) } }

  /// Keeps an object back no more.
  /// - Returns: Whether it was kept back.
  func release(_ object: ManagedObject) -> Bool {
    if pending.unread.isEmpty { return false }
    var wasHeldBack = false
    ownership.changeLists { wasHeldBack = pending.release(object) }
    return wasHeldBack
  }

  /// The objects that were kept back, which are now the caller's to see to.
  func takeUnread() -> [ManagedObject] {
    var unread: [ManagedObject] = []
    ownership.changeLists { unread = pending.takeUnread() }
    return unread
  }

  /// Has the unsaved changes to an object go from the layers, and from what observers and the undo manager
  /// learn at the event's end.
  func drop(_ object: ManagedObject) {
    pending.drop(object.registeredID)
    place.coordinator.ledger.drop(object.registeredID, in: place.node)
    event.untold.drop(object.registeredID)
  }

  /// Notes whether the running event did anything that no layer has.
  func noteUnpublished() {
    let rest =
      event.objects.isEmpty ? LedgerNode.Unpublished.nothing : LedgerNode.Unpublished.deletions
    let isSettled = event.isSettled && pending.dropped.isEmpty
    place.node.unpublished.store(isSettled ? rest : LedgerNode.Unpublished.edits)
  }

  // MARK: What is set and is no edit

  /// From now on what is set of an object is no change of it.
  func beginUntracked(_ object: ManagedObject) {
    // What the running event has edited already goes on to be edited.
    if !object.isWritable, !object.isNew { object.change { $0.beginUntracked() } }
  }

  /// From now on what is set of an object is a change again.
  package func endUntracked(_ object: ManagedObject) {
    guard object.isUntracked else { return }
    object.change { $0.endUntracked() }
    guard object.isWritable, let extras = object.extras,
      let untracked = extras.edits.untracked
    else { return }
    object.change { $0.endWriting() }
    let (row, layout) = (RowPointer(object.row), object.layout)
    for index in row.difference(from: untracked.row.row, layout).indices {
      extras.edits.setUntracked(index, to: layout.properties[index].scalar(in: row))
    }
    guard extras.edits.untracked?.values.isEmpty == true else { return }
    object.move(to: untracked.row.row)
    extras.edits.endUntracked()
  }

  /// Makes an object's row private, so that a value can be set that is no change.
  func prepareUntracked(_ object: ManagedObject) {
    let extras = object.makeExtras()
    let shown = RowPointer(object.row)
    extras.edits.beginUntracked(at: shown.held(by: object.owner))
    if object.isWritable { return }
    object.move(to: builder.copy(shown, object.layout))
  }

  /// Sets an attribute of an object that is not new, without a notice. The event's edits of the object
  /// are published: they stay edits, whatever the object shows from now on.
  func setUntracked(_ object: ManagedObject, at index: Int, to scalar: AttributeScalar) {
    prepareUntracked(object)
    let layout = object.layout
    let new = builder.set(index, scalar, of: RowPointer(object.row), layout)
    if new.words != object.row { object.move(to: new) }
    // As the row has it, which is what it is compared with.
    object.extras?.edits.setUntracked(index, to: layout.properties[index].scalar(in: new))
  }

  /// The row that an object's edits are published with, which has nothing else.
  func publishable(
    _ object: ManagedObject, changed: PropertySet, on base: RowPointer
  ) -> RowPointer {
    let shown = RowPointer(object.row)
    guard let extras = object.extras, let untracked = extras.edits.untracked else { return shown }
    builder.close()
    let row = builder.merge(changed, from: shown, onto: base, object.layout)
    builder.close()
    let left = untracked.indices(in: shown, object.layout)
    extras.edits.publish(row.held, leaving: left)
    return row
  }

  // MARK: Where unsaved objects lead

  /// The unsaved objects that lead, or have led, to an object.
  /// - Complexity: O(what is found); where this is asked for the first time since the context was saved or
  ///   has taken others' changes in, O(unsaved objects).
  func unsavedReferrers(to owner: ManagedObject) -> [ManagedObject] {
    makeReferences()
    return pending.references?.referrers(to: owner) ?? []
  }

  /// Whether something is true of an unsaved object that leads, or has led, to an object.
  func hasUnsavedReferrer(
    to owner: ManagedObject, where isWanted: (ManagedObject) -> Bool
  ) -> Bool {
    makeReferences()
    return pending.references.map { $0.hasReferrer(to: owner, where: isWanted) } ?? false
  }

  /// What unsaved objects lead, or have led, to, in the order of entities and keys.
  var unsavedOwners: [UnsavedReferences.Owner] {
    makeReferences()
    return pending.references?.owners ?? []
  }

  private func makeReferences() {
    guard pending.references == nil else { return }
    var references = UnsavedReferences()
    for object in pending.objects { references.note(object) }
    for object in event.objects { references.note(object) }
    ownership.changeLists { pending.references = references }
  }

  /// Notes where an unsaved object leads.
  @inline(__always)
  func noteReferences(of object: ManagedObject) {
    if pending.references != nil { ownership.changeLists { pending.references?.note(object) } }
  }

  /// References have changed otherwise than by edits: who asks for them has to look anew.
  package func forgetReferences() {
    if pending.references != nil { ownership.changeLists { pending.references = nil } }
  }
}

/// Gathers the changes of an event by entity.
struct DraftChanges {
  private struct Draft {
    let entity: EntityLayout
    var inserted: [RowPointer] = []
    var updated: [RowUpdate] = []
    var deleted: [RowDeletion] = []
    /// Keeps the rows that were changed or deleted; the new ones are kept by their objects.
    var bases = RowMemory()

    init(_ entity: EntityLayout) { self.entity = entity }
  }

  /// The number of the change set, which marks its rows.
  let id: UInt64
  /// The objects that earlier events have changed, with the properties that are again as they were before.
  private(set) var setBack: [(object: ManagedObject, properties: PropertySet)] = []
  private var drafts: [Draft] = []
  private var last = 0
  /// The entity of the last draft; 0 for none.
  private var lastNumber: Int32 = 0

  init(id: UInt64) { self.id = id }

  @inline(__always)
  mutating func insert(_ object: ManagedObject, row: RowPointer) {
    if object.entityNumber != lastNumber { select(object) }
    drafts[last].inserted.append(row)
  }

  mutating func update(_ object: ManagedObject, by update: RowUpdate) {
    if object.entityNumber != lastNumber { select(object) }
    drafts[last].updated.append(update)
    drafts[last].bases.keep(update.base)
    if update.first != update.base { drafts[last].bases.keep(update.first) }
  }

  /// Notes that the event has given properties the values that they had before earlier events changed
  /// them.
  mutating func note(_ object: ManagedObject, setBack properties: PropertySet) {
    setBack.append((object, properties))
  }

  mutating func delete(_ object: ManagedObject, row: RowPointer) {
    if object.entityNumber != lastNumber { select(object) }
    drafts[last].deleted.append(RowDeletion(base: row))
    drafts[last].bases.keep(row)
  }

  /// The changes; the objects must still be there.
  func finish() -> ChangeSet? {
    guard !drafts.isEmpty else { return nil }
    return withExtendedLifetime(drafts) {
      ChangeSet(
        id: id,
        entities: drafts.map {
          EntityChanges(
            entity: $0.entity, inserted: $0.inserted, updated: $0.updated, deleted: $0.deleted)
        })
    }
  }

  private mutating func select(_ object: ManagedObject) {
    lastNumber = object.entityNumber
    if let index = drafts.firstIndex(where: { $0.entity.number == lastNumber }) {
      last = index
      return
    }
    drafts.append(Draft(object.layout))
    last = drafts.count - 1
  }
}
