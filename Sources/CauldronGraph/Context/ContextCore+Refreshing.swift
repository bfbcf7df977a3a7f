import CauldronModel

extension ContextCore {
  /// Gives an object the newest row, with or without the context's unsaved edits on top.
  ///
  /// Edits that are dropped leave the ledger for all refreshed objects at once, when somebody asks for
  /// more than a single row. Those that stay count as made now, and not from what comes later.
  func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    publishAncestorsQuietly()
    // What came back may be an edit of this object.
    if inbox.holdsReturned { catchUp() }
    guard !object.isNew, !object.isFault else {
      // What is created here under a key that others have claimed, too, may have links of theirs.
      if mergeChanges, !object.isFault { object.forgetWalks() }
      return
    }
    // Other processes do not tell what they write.
    coordinator.cache.outdate(object.key, root: object.layout.rootNumber)
    guard mergeChanges else {
      willTurnIntoFault(object)
      let entailed = object.isDoomed ? object.extras?.entailed ?? [] : []
      let pairs = editedPairs(of: object)
      let edits = object.extras?.edits ?? ObjectEdits()
      let nullified = object.isDoomed ? PropertySet() : edits.nullified
      let isNoted = undoManager != nil && !(entailed.isEmpty && nullified.isEmpty && pairs.isEmpty)
      if isNoted { publish() }
      dropValues(of: object)
      takeBack(entailed, of: object)
      nullifyAgain(nullified, of: object)
      if !pairs.isEmpty { giveBack(pairs, of: object) }
      // A refresh is nothing that could be undone.
      if isNoted { undoManager?.withoutNoting { publish() } }
      // Children see the ledger alone.
      if coordinator.ledger.nodes.all.contains(where: { $0.parent === node }) { settleRefreshes() }
      note(refreshed: object)
      return didTurnIntoFault(object)
    }
    if object.isDeleted { return standByDeletions(of: [object]) }
    standByEdits(of: [object])
  }

  /// Reads all registered objects anew: those with unsaved changes keep them on top, the others turn
  /// into faults.
  /// - Complexity: O(registered objects and own unsaved changes).
  func refreshAll() {
    publishAncestorsQuietly()
    if inbox.holdsReturned { catchUp() }
    // What goes with a deletion shall be known, and all that is refreshed told of at once.
    if !event.deletions.isEmpty { publish() }
    let objects = identity.objects().filter {
      $0.hasRow && !$0.isNew && !$0.layout.isJoin
    }
    for object in objects {
      coordinator.cache.outdate(object.key, root: object.layout.rootNumber)
    }
    standByDeletions(of: objects.filter(\.isDoomed))
    for object in objects where !object.hasOwnChanges {
      // Noted before, as a hook may end the event.
      note(refreshed: object)
      turnIntoFault(object)
    }
    standByEdits(of: objects.filter { $0.hasOwnChanges && !$0.isDoomed })
  }

  /// Has objects show the newest rows below their unsaved edits, which count as made from these.
  private func standByEdits(of objects: [ManagedObject]) {
    if objects.isEmpty { return }
    event.hold()
    defer { event.release() }
    if objects.contains(where: { pending.hasDropped($0.registeredID) }) { settleRefreshes() }
    let edited = objects.filter(\.hasOwnChanges).map(\.registeredID)
    if !edited.isEmpty { rebaseUnsaved(onto: ownChanges(to: Set(edited))) }
    let chain = withSettledKeys { coordinator.ledger.view(of: node) }
    if objects.count > 8 { readAhead(objects, chain) }
    for object in objects {
      refresh(object, chain)
      object.forgetWalks()
      object.extras?.edits.rebaseOnMerged()
      if object.extras?.edits.committed != nil, let below = try? row(below: object) {
        object.extras?.edits.rebaseCommitted(onto: below)
      }
      note(refreshed: object)
      noteSnapshot(object, .refresh)
    }
    forgetReferences()
  }

  /// Unsaved deletions count as made of the newest rows.
  private func standByDeletions(of objects: [ManagedObject]) {
    if objects.isEmpty { return }
    if objects.contains(where: { $0.isInEvent }) { publish() }
    rebaseUnsaved(onto: ownChanges(to: Set(objects.map(\.registeredID))))
  }

  /// Brings the context's own layers up to the refreshes of single objects; to be called before the
  /// layers are used.
  /// - Complexity: O(own unsaved changes) where objects with changes were refreshed.
  func settleRefreshes() { if !pending.dropped.isEmpty { settleRefreshesNow() } }

  private func settleRefreshesNow() {
    followExchanges()
    coordinator.ledger.withdraw(pending.takeDropped(), from: node)
    identity.forgetAllWalks()
  }

  /// Has the end of the event tell of a refreshed object.
  func note(refreshed object: ManagedObject) {
    if event.isEmpty, ownership.kind == .main, event.depth == 0 { queueEventEnd() }
    event.note(refreshed: object.objectID)
  }

  /// The context's own unsaved changes to objects, in sets of their own.
  private func ownChanges(to ids: Set<ManagedObjectID>) -> [ChangeSet] {
    coordinator.ledger.layers(of: node).compactMap { layer in
      guard layer.isUnsaved(of: node) else { return nil }
      let sets = layer.changes.entities.map { set in
        EntityChanges(
          entity: set.entity, inserted: [],
          updated: set.updated.filter { ids.contains(coordinator.id($0.row.key, set.entity)) },
          deleted: set.deleted.filter { ids.contains(coordinator.id($0.key, set.entity)) })
      }
      return ChangeSet(
        id: coordinator.ledger.changeSetID(), entities: sets.filter { $0.count > 0 })
    }
  }

  /// Takes back what the deletion of an object has done to others: what was deleted with it, and the
  /// references to all of them.
  private func takeBack(_ entailed: [Entailment], of object: ManagedObject) {
    var rest = [(entailed, cause: object)]
    var references: [(ManagedObject, Int, ManagedObject)] = []
    while let (list, cause) = rest.popLast() {
      for entailment in list {
        switch entailment {
        case .deleted(let id):
          guard let other = registeredObject(id), other.isDoomed else { continue }
          rest.append((other.extras?.entailed ?? [], other))
          turnIntoFault(other)
          note(refreshed: other)
        case .nullified(let id, let index):
          guard let other = registeredObject(id) else { continue }
          references.append((other, index, cause))
        }
      }
    }
    for (other, index, cause) in references
    where other.isAlive && !other.isFault
      && other.extras?.edits.nullified.contains(index) == true
    {
      setReference(other, other.layout.properties[index], cause)
    }
  }

  /// Makes a fault of an object, and tells it before and afterwards.
  private func turnIntoFault(_ object: ManagedObject) {
    willTurnIntoFault(object)
    dropValues(of: object)
    didTurnIntoFault(object)
  }

  /// Drops an object's unsaved edits, also those of earlier events, and its values.
  func dropValues(of object: ManagedObject) {
    if object.hasOwnChanges {
      pending.drop(object.registeredID)
      event.dropUntold(object.registeredID)
    }
    _ = pending.release(object)
    makeFault(of: object)
  }

  /// Has an object forget its row and all that it knows.
  func makeFault(of object: ManagedObject) {
    object.noteChanges()
    object.extras = nil
    // What is in the lists stays there; without the other flags it counts for nothing.
    object.change { $0.becomeFault() }
    object.move(to: object.layout.zero.row)
  }
}
