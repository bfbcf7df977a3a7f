import CauldronLedger
package import CauldronModel

/// Creates objects, makes them writable, and marks them deleted: all that begins an edit of one object.
///
/// What the edit means for related objects is for parts above; whoever calls has proven to own the context.
package struct Editor {
  let reader: Reader

  private var place: Place { reader.place }
  private var registry: Registry { reader.registry }
  private var keys: ObjectKeys { reader.keys }
  private var drafts: Drafts { reader.drafts }
  private var hooks: Hooks { reader.hooks }
  private var event: EventState { drafts.event }
  private var ownership: Ownership { drafts.ownership }

  /// Creates an object of an entity, with its defaults.
  /// - Complexity: O(properties); where no reserved key is left, three statements that wait for nobody.
  func create(_ layout: EntityLayout) -> ManagedObject {
    let (key, row) = newRow(layout)
    let object = registry.makeObject(of: layout, key: key, row: row, state: .new)
    welcome(object, of: layout)
    return object
  }

  /// What a new object of an entity is made of where its own initializer runs; ``welcome(_:of:)``
  /// follows it.
  func newSeed(_ layout: EntityLayout) -> _ObjectSeed {
    let (key, row) = newRow(layout)
    return registry.seed(of: layout, key: key, row: row, state: .new)
  }

  /// A key, and a row that has the defaults of an entity.
  @inline(__always)
  private func newRow(_ layout: EntityLayout) -> (key: Int64, row: RowPointer) {
    if layout.isAbstract { trap("Entity \"\(layout.name)\" is abstract; create a subentity.") }
    let drafts = drafts
    let key = keys.take(for: layout, batch: keyBatch)
    drafts.builder.close()
    var row = drafts.builder.begin(layout, key: key)
    for computed in layout.computedDefaults {
      row = drafts.builder.set(computed.index, computed.make(), of: row, layout)
    }
    if !layout.uniqueKeys.isEmpty, !layout.computedDefaults.isEmpty {
      row = noted(row, of: layout)
    }
    return (key, row)
  }

  /// Registers a new object, and tells it that it was created.
  @inline(__always)
  func welcome(_ object: ManagedObject, of layout: EntityLayout) {
    registry.insert(object, key: object.key, root: layout.rootNumber)
    drafts.touch(object)
    hooks.awakeFromInsert(object)
  }

  /// Keeps what a new object is like, should it turn out to be a row that exists.
  /// - Returns: A copy of the row, for the object itself.
  private func noted(_ row: RowPointer, of layout: EntityLayout) -> RowPointer {
    drafts.builder.close()
    event.note(origin: row.held, layout)
    return drafts.builder.copy(row, layout)
  }

  /// Takes more keys at once the more a context creates.
  var keyBatch: Int64 { Int64(min(4_096, max(16, event.objects.count))) }

  /// Makes an object's row private, so that a property can be written.
  package func prepareWrite(_ object: ManagedObject) {
    if object.isFault {
      reader.fire(object)
      // What is unknown still is edited all the same; it is read when the edits are published.
      object.change { $0.endFault() }
    }
    drafts.begin(object)
  }

  /// Writes a to-one reference alone; the other side stays as it is.
  package func writeReference(
    of object: ManagedObject, through property: PropertyLayout, to new: ManagedObject?
  ) {
    drafts.endUntracked(object)
    if !object.isWritable { prepareWrite(object) }
    object.extras?.edits.set(property.index)
    object.noteChange(of: property.index)
    let row = RowPointer(object.row)
    guard let new else {
      row.setNull(property.index)
      for slot in property.companions { row.setCompanion(0, at: slot) }
      return
    }
    if event.isPropagating { event.noteReference(from: object, at: property.index, to: new) }
    row.setSlot(property.index, new.key)
    if let slot = property.entitySlot { row.setCompanion(Int64(new.layout.number), at: slot) }
    drafts.noteReferences(of: object)
  }

  /// Marks an object deleted without telling it; the delete rules of its relationships are applied at the
  /// end of the event.
  package func markDeleted(_ object: ManagedObject) {
    guard !object.isDeleted, !object.isStandIn else { return }
    if object.isFault {
      reader.fire(object)
      object.change { $0.endFault() }
    }
    drafts.endUntracked(object)
    if object.isNew { standOnSaved(object) }
    object.change { $0.becomeDeleted() }
    object.noteChanges()
    ownership.changeLists { event.delete(object) }
    if !object.isInEvent {
      object.change { $0.enterEvent() }
      drafts.touch(object)
    }
  }

  /// Makes an insertion an edit of the saved row, where another context has saved the object meanwhile:
  /// a deletion then deletes that row, while the deletion of an insertion would leave nothing to save.
  ///
  /// The deletion counts as made of the row that the object began with: later values of other contexts
  /// were not seen here.
  /// - Complexity: O(own unsaved changes) for such an object, one look at a count for any other.
  func standOnSaved(_ object: ManagedObject) {
    let root = object.layout.rootNumber
    guard place.coordinator.claims.isShared(object.key, root: root),
      let origin = place.coordinator.claims.origin(of: object.key, root: root),
      let theirs = try? reader.row(below: object)
    else { return }
    drafts.pending.drop(object.registeredID)
    keys.settleRefreshes()
    drafts.builder.close()
    let base = origin.withRow { drafts.builder.copy($0, object.layout) }
    drafts.builder.close()
    base.setKey(object.key)
    base.setVersion(theirs.row.version)
    base.setMaker(RowPointer.composed)
    object.change { $0.endCreation() }
    object.makeExtras().edits.beginDeletion(at: base.held)
  }
}

extension ManagedObject {
  /// Whether anything besides the running event can know of the object, if the context created it.
  var isPublished: Bool { extras?.edits.eventBase != nil || !isWritable }

  /// Whether the running event has made the object: nothing outside of the event leads to it.
  var isUntold: Bool { isNew && !isPublished }
}
