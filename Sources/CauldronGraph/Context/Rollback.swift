public import CauldronLedger
import CauldronModel
import CauldronStore

/// Drops all that a context has not saved.
struct Rollback {
  let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  private var coordinator: PersistentStoreCoordinator { core.coordinator }
  private var node: LedgerNode { core.node }
  private var event: EventState { core.event }
  private var registry: Registry { core.registry }

  /// - Returns: What to tell of it, and the objects that have left the context.
  func run() -> (ChangeParts, forgotten: [ManagedObject]) {
    core.undoManager?.forget()
    let touched = core.pending.objects + event.objects + core.pending.unread
    let layers = coordinator.ledger.layers(of: node)
    let dropped = coordinator.ledger.discard(node, acceptedToo: true, by: core.name)
    _ = (event.forgetEdits(), core.pending.forgetEdits())
    node.unpublished.store(LedgerNode.Unpublished.nothing)
    core.finder.endClaiming()
    defer { core.reader.forgetUnread(touched) }
    core.drafts.builder.close()
    core.inbox.forgetReturns()
    let created = touched.filter { $0.isNew && !$0.isGone }
    for object in touched where !object.isNew {
      event.note(refreshed: object.objectID)
    }
    // What others have changed meanwhile shows now, where an edit hid it.
    let overtaken = touched.filter { $0.extras?.edits.isOvertaken ?? false }
    for object in touched { revert(object) }
    for object in touched { core.hooks.noteSnapshot(of: object, flags: .rollback) }
    if !overtaken.isEmpty {
      let chain = coordinator.ledger.view(of: node)
      for object in overtaken { core.reader.refresh(object, over: chain) }
    }
    core.walks.forgetAllWalks()
    core.catchUp.run(discarded: layers)
    let known = Set(created.map(\.objectID))
    let others = inserted(by: dropped).filter { !known.contains($0) }
    for id in others { forgetGone(id) }
    coordinator.wakeReached()
    let parts = ChangeParts(
      discarded: created.map(\.objectID) + others, refreshed: event.takeRefreshed())
    return (parts, created.filter { !$0.layout.isJoin })
  }

  /// What layers insert: children have created it, or it came back a moment ago.
  private func inserted(by layers: [Layer]) -> [ManagedObjectID] {
    layers.flatMap { layer in
      layer.changes.entities.flatMap { changes in
        changes.inserted.map { coordinator.id($0.key, of: changes.entity) }
      }
    }
  }

  /// Takes an object out of the map that exists no more.
  private func forgetGone(_ id: ManagedObjectID) {
    guard let root = coordinator.layout(id)?.rootNumber,
      let object = registry.object(id.key, root: root), object.isGone
    else { return }
    registry.removeGone(object)
  }

  private func revert(_ object: ManagedObject) {
    if object.isNew {
      object.noteChanges()
      object.change { $0.rollBackCreation() }
      registry.removeGone(object)
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
    let (parts, forgotten) = Rollback(core).run()
    core.hooks.runWaitingHooks()
    core.announcer.postDidChange([], parts: parts, forgotten: forgotten, in: self)
    core.announcer.tellObservers()
  }

  /// Forgets every object and all unsaved changes; no object of the context may be used afterwards, and none
  /// has a context.
  ///
  /// ``didChangeObjectsNotification`` tells of all of them as invalidated, of unsaved new ones, too. In a hook of an import nothing happens
  /// but an error in the log.
  /// - Complexity: O(registered objects and unsaved objects).
  public func reset() {
    prove()
    if isKeptByImport("reset") { return }
    let created = Rollback(core).run().forgotten
    let objects = core.registry.objects() + created
    core.announcer.noteAllChanges()
    for object in objects {
      object.noteChanges()
      object.change { $0.beForgotten() }
    }
    core.event.waiting = WaitingHooks()
    core.registry.map.removeAll()
    core.coordinator.ledger.noteReset(core.node)
    core.announcer.postDidChange(
      [], parts: ChangeParts(invalidatedAll: objects.map(\.objectID)), in: self)
    core.announcer.tellObservers()
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
    core.refresher.refresh(object, mergeChanges: mergeChanges)
    core.hooks.runWaitingHooks()
    core.announcer.tellObservers()
  }

  /// Reads the rows of all registered objects anew: unsaved edits and deletions stay, objects without
  /// any turn into faults and lose their transient values.
  ///
  /// The end of the event tells of all of them as refreshed. Nothing happens to created objects.
  /// - Complexity: O(registered objects and unsaved objects); one statement for each 256 objects with
  ///   edits.
  public func refreshAllObjects() {
    prove()
    core.refresher.refreshAll()
    core.hooks.runWaitingHooks()
    core.announcer.tellObservers()
  }
}
