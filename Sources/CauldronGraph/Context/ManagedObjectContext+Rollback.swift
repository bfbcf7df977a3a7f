public import CauldronLedger
import CauldronModel
import CauldronStore

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
