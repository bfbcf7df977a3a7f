import CauldronModel

extension ManagedObjectContext {
  /// Drops all unsaved changes, also those that children have saved into this context; the saves
  /// that wait for these end with `save.discarded`.
  ///
  /// Created objects leave the context, changed ones show their old values, deleted ones come back.
  /// - Complexity: O(unsaved objects).
  public func rollback() {
    prove()
    core.rollback()
  }

  /// Forgets every object and all unsaved changes; no object of the context may be used afterwards.
  public func reset() {
    prove()
    core.rollback()
    for object in core.identity.objects() { object.state.insert([.gone, .deleted]) }
    core.identity.removeAll()
  }

  /// What decides when an object was changed elsewhere since this context read it; `.error` by
  /// default.
  public var mergePolicy: MergePolicy {
    get { core.mergePolicy.withLock { $0 } }
    set { core.mergePolicy.withLock { $0 = newValue } }
  }

  /// Reads an object's row anew: the store's, and the pending changes above it.
  ///
  /// - Parameter mergeChanges: Whether the object's unsaved edits stay on top; otherwise they are
  ///   dropped and the object turns into a fault.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    prove()
    core.refresh(object, mergeChanges: mergeChanges)
  }
}

extension ContextCore {
  func rollback() {
    let touched = pending + event
    let accepted = coordinator.ledger.layers(of: node).map(\.changes)
    coordinator.ledger.discard(node, acceptedToo: true, by: name)
    event = []
    deletions = []
    pending = []
    creationError = nil
    unreadError = nil
    builder.close()
    shared.withLock { $0.forgetReturns() }
    for object in touched { revert(object) }
    forgetAllWalks()
    for changes in accepted { receive(changes, .child) }
    catchUp()
  }

  private func revert(_ object: ManagedObject) {
    if object.state.contains(.inserted) {
      object.state = [.gone, .deleted]
      identity.remove(object.key, root: object.layout.root.number)
      return
    }
    if let committed = object.extras?.committed { object.show(committed.row) }
    object.extras?.committed = nil
    object.extras?.eventBase = nil
    object.extras?.toMany = [:]
    object.extras?.transient = [:]
    object.state.subtract([.updated, .deleted, .inEvent, .writable, .gone])
  }
}
