import CauldronModel
import CauldronStore

/// Reads objects anew that are registered already: with their unsaved edits on top, or without them.
struct Refresher {
  let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  private var coordinator: PersistentStoreCoordinator { core.coordinator }
  private var node: LedgerNode { core.node }
  private var event: EventState { core.event }

  /// Gives an object the newest row, with or without the context's unsaved edits on top.
  ///
  /// Edits that are dropped leave the ledger for all refreshed objects at once, when somebody asks for
  /// more than a single row. Those that stay count as made now, and not from what comes later.
  func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    core.ancestors.publishQuietly()
    // What came back may be an edit of this object.
    if core.inbox.holdsReturned { core.catchUp.run() }
    guard !object.isNew, !object.isFault else {
      // An object that is created under a claimed key may have links from other contexts.
      if mergeChanges, !object.isFault { object.forgetWalks() }
      return
    }
    // Other processes do not tell what they write.
    coordinator.cache.outdate(object.key, root: object.layout.rootNumber)
    guard mergeChanges else {
      core.hooks.willTurnIntoFault(object)
      let entailed = object.isDoomed ? object.extras?.entailed ?? [] : []
      let pairs = core.relations.editedPairs(of: object)
      let edits = object.extras?.edits ?? ObjectEdits()
      let nullified = object.isDoomed ? PropertySet() : edits.nullified
      let isNoted =
        core.undoManager != nil && !(entailed.isEmpty && nullified.isEmpty && pairs.isEmpty)
      if isNoted { core.publisher.publish() }
      dropValues(of: object)
      takeBack(entailed, of: object)
      core.deleter.nullifyAgain(nullified, of: object)
      if !pairs.isEmpty { core.relations.giveBack(pairs, of: object) }
      // A refresh is nothing that could be undone.
      if isNoted { core.undoManager?.withoutNoting { core.publisher.publish() } }
      // Children see the ledger alone: a read there withdraws the dropped edits from it first.
      if !core.pending.dropped.isEmpty { node.unpublished.store(LedgerNode.Unpublished.edits) }
      core.drafts.note(refreshed: object)
      return core.hooks.didTurnIntoFault(object)
    }
    if object.isDeleted { return standByDeletions(of: [object]) }
    standByEdits(of: [object])
  }

  /// Reads all registered objects anew: those with unsaved changes keep them on top, the others turn
  /// into faults.
  /// - Complexity: O(registered objects and own unsaved changes).
  func refreshAll() {
    core.ancestors.publishQuietly()
    if core.inbox.holdsReturned { core.catchUp.run() }
    // What goes with a deletion shall be known, and all that is refreshed told of at once.
    if !event.deletions.isEmpty { core.publisher.publish() }
    let objects = core.registry.objects().filter {
      $0.hasRow && !$0.isNew && !$0.layout.isJoin
    }
    for object in objects {
      coordinator.cache.outdate(object.key, root: object.layout.rootNumber)
    }
    standByDeletions(of: objects.filter(\.isDoomed))
    for object in objects where !object.hasOwnChanges {
      // Noted before, as a hook may end the event.
      core.drafts.note(refreshed: object)
      turnIntoFault(object)
    }
    standByEdits(of: objects.filter { $0.hasOwnChanges && !$0.isDoomed })
  }

  /// Has objects show the newest rows below their unsaved edits, which count as made from these.
  private func standByEdits(of objects: [ManagedObject]) {
    if objects.isEmpty { return }
    // Edits of the running event are made from what is shown, which is not all that the save will meet.
    if !coordinator.ledger.readsUncommitted(node) { core.publisher.publish() }
    event.hold()
    defer { event.release() }
    if objects.contains(where: { core.pending.hasDropped($0.registeredID) }) {
      core.keys.settleRefreshes()
    }
    let edited = objects.filter(\.hasOwnChanges).map(\.registeredID)
    rebase(edited)
    let chain = core.keys.withSettledKeys { coordinator.ledger.view(of: node) }
    if objects.count > 8 { core.reader.readAhead(objects, chain) }
    for object in objects {
      core.reader.refresh(object, chain)
      object.forgetWalks()
      object.extras?.edits.rebaseOnMerged()
      if object.extras?.edits.committed != nil, let below = try? core.reader.row(below: object) {
        object.extras?.edits.rebaseCommitted(onto: below)
      }
      core.drafts.note(refreshed: object)
      core.hooks.noteSnapshot(object, .refresh)
    }
    core.drafts.forgetReferences()
  }

  /// Unsaved deletions count as made of the newest rows.
  private func standByDeletions(of objects: [ManagedObject]) {
    if objects.isEmpty { return }
    if objects.contains(where: { $0.isInEvent }) { core.publisher.publish() }
    rebase(objects.map(\.registeredID))
  }

  /// Has unsaved changes to objects count as made from the newest rows. That makes layers anew, which have
  /// the changes of other objects, too: so it is asked first whether a single object's row has changed.
  private func rebase(_ ids: [ManagedObjectID]) {
    if ids.isEmpty || ids.count == 1 && !LayerRebase(core, onto: []).isDue(ids[0]) { return }
    LayerRebase(core, onto: ownChanges(to: Set(ids))).rebaseUnsaved()
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

  /// Takes back the consequences of an object's deletion: the objects that were deleted with it, and the
  /// references to all of them.
  private func takeBack(_ entailed: [Entailment], of object: ManagedObject) {
    var rest = [(entailed, cause: object)]
    var references: [(ManagedObject, Int, ManagedObject)] = []
    while let (list, cause) = rest.popLast() {
      for entailment in list {
        switch entailment {
        case .deleted(let id):
          guard let other = core.keys.registeredObject(id), other.isDoomed else { continue }
          rest.append((other.extras?.entailed ?? [], other))
          turnIntoFault(other)
          core.drafts.note(refreshed: other)
        case .nullified(let id, let index):
          guard let other = core.keys.registeredObject(id) else { continue }
          references.append((other, index, cause))
        }
      }
    }
    for (other, index, cause) in references
    where other.isAlive && !other.isFault
      && other.extras?.edits.nullified.contains(index) == true
    {
      core.setReference(other, other.layout.properties[index], cause)
    }
  }

  /// The context's own deletions of objects that a child's save has brought back.
  /// - Complexity: O(unsaved objects · log layers).
  func overruledDeletions() -> [OverruledDeletion] {
    if coordinator.has(.standingDeletions) { return [] }
    let chain = core.keys.withSettledKeys { coordinator.ledger.view(of: node) }
    return core.pending.objects.compactMap { object in
      guard object.isDoomed, !object.isInEvent, !object.layout.isJoin,
        chain.newest(object.registeredID)?.kind == .update
      else { return nil }
      return OverruledDeletion(object)
    }
  }

  /// Takes deletions back, each as a whole, with what it has entailed. What the context had changed of an
  /// object before it deleted it, the child has seen, and has brought back with its own edits.
  func takeBack(_ overruled: [OverruledDeletion]) {
    if overruled.isEmpty { return }
    // With one of them others may have come back.
    for deletion in overruled where deletion.object.isDoomed {
      refresh(deletion.object, mergeChanges: false)
    }
    core.keys.settleRefreshes()
    let below = coordinator.ledger.view(below: node)
    var there: [ManagedObjectID: OverruledDeletion] = [:]
    for deletion in overruled {
      let object = deletion.object
      if below.newest(object.registeredID)?.kind == .deletion { continue }
      there[ManagedObjectID(object.key, object.layout)] = deletion
    }
    var builder = RowBuilder()
    coordinator.ledger.endReturns(in: node) { update, entity in
      there[ManagedObjectID(update.row.key, entity)]?.edit(update, entity, &builder)
    }
  }

  /// Makes a fault of an object, and tells it before and afterwards.
  private func turnIntoFault(_ object: ManagedObject) {
    core.hooks.willTurnIntoFault(object)
    dropValues(of: object)
    core.hooks.didTurnIntoFault(object)
  }

  /// Drops an object's unsaved edits, also those of earlier events, and its values.
  func dropValues(of object: ManagedObject) {
    if object.hasOwnChanges { core.drafts.drop(object) }
    _ = core.drafts.release(object)
    object.makeFault()
  }
}

/// A deletion of a context's own that the policy of a child's save has overruled.
struct OverruledDeletion {
  let object: ManagedObject
  /// What the object was like before the context had changed it; nil where it had not.
  let before: HeldRow?
  /// What the context had changed before it deleted the object.
  let edited: PropertySet

  init(_ object: ManagedObject) {
    self.object = object
    before = object.extras?.edits.committed
    edited =
      before.map { RowPointer(object.row).difference(from: $0.row, object.layout) }
      ?? PropertySet()
  }

  /// The change of the row that was brought back, as an edit of the row that was never away.
  func edit(
    _ update: RowUpdate, _ entity: EntityLayout, _ builder: inout RowBuilder
  ) -> RowUpdate {
    guard let before, !edited.isEmpty else { return update.restoring(false) }
    let base = builder.merge(edited, from: before.row, onto: update.base, entity)
    builder.close()
    base.setVersion(update.base.version)
    // What was changed after the child had read the object did not come back.
    let seen = edited.intersection(update.row.difference(from: before.row, entity))
    return RowUpdate(
      row: update.row, base: base, changed: update.changed.union(seen),
      nullified: update.nullified, alone: update.alone)
  }
}
