import CauldronModel

extension ContextCore {
  /// Gives an object the newest row, with or without the context's unsaved edits on top.
  ///
  /// Edits that are dropped leave the ledger for all refreshed objects at once, when somebody asks for
  /// more than a single row. Those that stay count as made now, and not from what comes later.
  func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    guard object.state.isDisjoint(with: [.inserted, .fault]) else { return }
    // Other processes do not tell what they write.
    coordinator.cache.outdate(object.key, root: object.layout.rootNumber)
    guard mergeChanges else {
      turnIntoFault(object)
      // Children see the ledger alone.
      if coordinator.ledger.nodes.all.contains(where: { $0.parent === node }) { settleRefreshes() }
      return note(refreshed: object)
    }
    guard !object.state.contains(.deleted) else { return }
    if unsettled.dropped.contains(object.registeredID) { settleRefreshes() }
    if object.hasOwnChanges { rebaseUnsaved(onto: ownChanges(to: [object.registeredID])) }
    refresh(object, withSettledKeys { coordinator.ledger.view(of: node) })
    object.extras?.toMany = [:]
    object.extras?.standOnTheirs()
    if object.extras?.committed != nil, let below = try? row(below: object) {
      object.extras?.committed = below
    }
    note(refreshed: object)
  }

  /// What refreshes have to do with the context's own layers, and have not done.
  struct UnsettledRefreshes {
    /// The objects whose changes have to go.
    var dropped: Set<ManagedObjectID> = []

    var isEmpty: Bool { dropped.isEmpty }
  }

  /// Brings the context's own layers up to the refreshes of single objects; to be called before the
  /// layers are used.
  /// - Complexity: O(own unsaved changes) where objects with changes were refreshed.
  func settleRefreshes() { if !unsettled.isEmpty { settleRefreshesNow() } }

  private func settleRefreshesNow() {
    followExchanges()
    let refreshes = unsettled
    unsettled = UnsettledRefreshes()
    coordinator.ledger.withdraw(refreshes.dropped, from: node)
    forgetAllWalks()
  }

  /// Has the end of the event tell of a refreshed object.
  func note(refreshed object: ManagedObject) {
    if event.isEmpty, refreshed.isEmpty, ownership.kind == .main, eventDepth == 0 {
      queueEventEnd()
    }
    refreshed.append(object.objectID)
  }

  /// The context's own unsaved changes to objects, in sets of their own.
  private func ownChanges(to ids: Set<ManagedObjectID>) -> [ChangeSet] {
    coordinator.ledger.layers(of: node).compactMap { layer in
      guard layer.isUnsaved(of: node) else { return nil }
      let sets = layer.changes.entities.map { set in
        EntityChanges(
          entity: set.entity, inserted: [],
          updated: set.updated.filter { ids.contains(id($0.row.key, set.entity)) }, deleted: [])
      }
      return ChangeSet(
        id: coordinator.ledger.changeSetID(), entities: sets.filter { $0.count > 0 })
    }
  }

  private func id(_ key: Int64, _ entity: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: coordinator.storeNumber)
  }

  /// Drops an object's unsaved edits, also those of earlier events, and its values.
  private func turnIntoFault(_ object: ManagedObject) {
    if object.hasOwnChanges { unsettled.dropped.insert(object.registeredID) }
    unread.removeAll { $0 === object }
    makeFault(of: object)
  }

  /// Has an object forget its row and all that it knows.
  func makeFault(of object: ManagedObject) {
    object.extras = nil
    // What is in the lists stays there; without the other flags it counts for nothing.
    object.state = object.state.intersection(.listed).union(.fault)
    object.move(to: object.layout.zero.row)
  }
}

extension ManagedObject {
  fileprivate var hasOwnChanges: Bool {
    !state.isDisjoint(with: [.updated, .deleted, .inEvent])
  }
}
