import CauldronModel

extension ManagedObjectContext {
  /// Drops all unsaved changes, also those that children have saved into this context; the saves
  /// that wait for these end with `save.discarded`.
  ///
  /// Created objects leave the context, changed ones show their old values, deleted ones come back.
  /// ``didChangeObjectsNotification`` tells of the former as deleted and of the others as refreshed.
  /// The undo manager forgets all that it has noted. In a hook of an import nothing happens but an error in the
  /// log, as other records would be lost.
  /// - Complexity: O(unsaved objects).
  public func rollback() {
    prove()
    if isKeptByImport("rolled back") { return }
    let (parts, forgotten) = core.rollback()
    core.runWaitingHooks()
    core.postDidChange([], parts, forgotten: forgotten)
    core.tellObservers()
  }

  /// Forgets every object and all unsaved changes; no object of the context may be used afterwards.
  ///
  /// ``didChangeObjectsNotification`` tells of all of them as invalidated. In a hook of an import nothing happens
  /// but an error in the log.
  /// - Complexity: O(registered objects and unsaved objects).
  public func reset() {
    prove()
    if isKeptByImport("reset") { return }
    _ = core.rollback()
    let objects = core.identity.objects()
    core.identity.noteAllChanges()
    for object in objects { object.vanish() }
    core.event.waiting = WaitingHooks()
    core.identity.map.removeAll()
    core.coordinator.ledger.noteReset(core.node)
    core.postDidChange([], ChangeParts(invalidatedAll: objects.map(\.objectID)))
    core.tellObservers()
  }

  /// What decides when an object was changed elsewhere since this context read it; `.error` by
  /// default.
  public var mergePolicy: MergePolicy {
    get { core.settings.withLock { $0.mergePolicy } }
    set { core.settings.withLock { $0.mergePolicy = newValue } }
  }

  /// Reads an object's row anew: the store's, and the pending changes above it.
  ///
  /// The end of the event tells of it as refreshed. Nothing happens to a fault or a created object.
  /// - Parameter mergeChanges: Whether the object's unsaved edits stay on top; otherwise they are
  ///   dropped and the object turns into a fault.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    prove()
    core.refresh(object, mergeChanges: mergeChanges)
    core.runWaitingHooks()
    core.tellObservers()
  }

  /// Reads the rows of all registered objects anew: unsaved edits and deletions stay, objects without
  /// any turn into faults and lose their transient values.
  ///
  /// The end of the event tells of all of them as refreshed. Nothing happens to created objects.
  /// - Complexity: O(registered objects and unsaved objects); one statement for each 256 objects with
  ///   edits.
  public func refreshAllObjects() {
    prove()
    core.refreshAll()
    core.runWaitingHooks()
    core.tellObservers()
  }
}

extension ContextCore {
  /// - Returns: What to tell of it, and the objects that have left the context.
  func rollback() -> (ChangeParts, forgotten: [ManagedObject]) {
    undoManager?.forget()
    let touched = pending.objects + event.objects + pending.unread
    let layers = coordinator.ledger.layers(of: node)
    let dropped = coordinator.ledger.discard(node, acceptedToo: true, by: name)
    _ = (event.forgetEdits(), pending.forgetEdits())
    node.unpublished.store(LedgerNode.Unpublished.nothing)
    endClaiming()
    defer { forgetUnread(touched) }
    builder.close()
    inbox.forgetReturns()
    let created = touched.filter { $0.isNew && !$0.isGone }
    for object in touched where !object.isNew {
      event.note(refreshed: object.objectID)
    }
    // What others have changed meanwhile shows now, where an edit hid it.
    let overtaken = touched.filter { $0.extras?.edits.isOvertaken ?? false }
    for object in touched { revert(object) }
    for object in touched { noteSnapshot(object, .rollback) }
    if !overtaken.isEmpty {
      let chain = coordinator.ledger.view(of: node)
      for object in overtaken { refresh(object, chain) }
    }
    identity.forgetAllWalks()
    catchUp(discarded: layers)
    let known = Set(created.map(\.objectID))
    let others = inserted(by: dropped).filter { !known.contains($0) }
    for id in others { forgetGone(id) }
    let parts = ChangeParts(
      discarded: created.map(\.objectID) + others, refreshed: event.takeRefreshed())
    return (parts, created.filter { !$0.layout.isJoin })
  }

  /// What layers insert: children have created it, or it came back a moment ago.
  private func inserted(by layers: [Layer]) -> [ManagedObjectID] {
    layers.flatMap { layer in
      layer.changes.entities.flatMap { changes in
        changes.inserted.map { coordinator.id($0.key, changes.entity) }
      }
    }
  }

  /// Takes an object out of the map that exists no more.
  private func forgetGone(_ id: ManagedObjectID) {
    guard let root = coordinator.layout(id)?.rootNumber,
      let object = identity.object(id.key, root: root), object.isGone
    else { return }
    identity.remove(id.key, root: root)
  }

  private func revert(_ object: ManagedObject) {
    if object.isNew {
      object.noteChanges()
      object.change { $0.rollBackCreation() }
      identity.remove(object.key, root: object.layout.root.number)
      return
    }
    if let committed = object.extras?.edits.committed { object.show(committed.row) }
    object.extras?.revertEdits()
    if object.isDeleted || object.extras?.transient.isEmpty == false {
      object.noteChanges()
    }
    object.forgetWalks()
    object.extras?.transient = [:]
    object.change { $0.rollBack() }
  }
}
