import CauldronLedger
import CauldronModel
import CauldronStore

/// Reads objects anew that are registered already: with their unsaved edits on top, or without them.
package struct Refresher {
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
    // What came back may be an edit of this object, or bring it back.
    if core.inbox.holdsReturned || core.inbox.holdsRestored { core.catchUp.run() }
    guard !object.isNew, !object.isFault else {
      // An object that is created under a claimed key may have links from other contexts; those of a fault
      // may have been walked.
      if mergeChanges || object.isFault { object.forgetWalks() }
      return
    }
    // Other processes do not tell what they write.
    coordinator.cache.outdate(object.key, root: object.layout.rootNumber)
    guard mergeChanges else {
      core.hooks.willTurnIntoFault(object)
      let entailed = object.isDoomed ? object.extras?.entailed ?? [] : []
      if object.isDoomed { core.pending.note(undeleted: object) }
      let pairs = core.relations.editedPairs(of: object)
      let unit = core.relations.editedUnit(of: object)
      let others = unit.map { end in
        let pairs = core.relations.editedPairs(of: end.object)
        return (end.object, pairs.filter { end.properties.contains($0.property.index) })
      }
      let nullified = core.deleter.referencesToDeleted(of: object)
      // The other ends go back, too, and lead to nothing that stays deleted.
      let cleared = unit.map { ($0.object, core.deleter.referencesToDeleted(of: $0.object)) }
      let isNoted =
        core.undoManager != nil && !(entailed.isEmpty && nullified.isEmpty && pairs.isEmpty)
      if isNoted { core.publisher.publish() }
      CancelledChanges(core).endTaken(unit, with: object)
      dropValues(of: object)
      CancelledChanges(core).withdraw(unit)
      takeBack(entailed, of: object)
      for (end, references) in [(object, nullified)] + cleared {
        core.deleter.nullifyAgain(references, of: end)
      }
      for (end, pairs) in [(object, pairs)] + others where !pairs.isEmpty {
        core.relations.giveBack(pairs, of: end)
      }
      // A refresh cannot be undone. References that it gives back are no edits: were they published at the end
      // of the event, a change that comes in before that would count against them.
      if isNoted {
        core.undoManager?.withoutNoting { core.publisher.publish() }
      } else if !entailed.isEmpty {
        core.publisher.publish()
      }
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
    if core.inbox.holdsReturned || core.inbox.holdsRestored { core.catchUp.run() }
    // What goes with a deletion shall be known, and all that is refreshed told of at once.
    if !event.deletions.isEmpty { core.publisher.publish() }
    // Those of faults, too.
    core.walks.forgetAllWalks()
    let objects = core.registry.objects().filter {
      $0.hasRow && !$0.isNew && !$0.layout.isJoin
    }
    for object in objects {
      coordinator.cache.outdate(object.key, root: object.layout.rootNumber)
    }
    standByReceived(of: objects)
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
    for object in objects { core.relations.noteLinks(joinedBy: object) }
    readAhead(objects)
    CancelledChanges(core).withdraw(LinksSavedElsewhere(core).ends(of: objects))
    rebase(objects.map(\.registeredID))
    let chain = core.keys.withSettledKeys { coordinator.ledger.view(of: node) }
    for object in objects {
      core.reader.refresh(object, over: chain)
      object.forgetWalks()
      object.extras?.edits.rebaseOnMerged()
      if object.extras?.edits.committed != nil, let below = try? core.reader.row(below: object) {
        object.extras?.edits.rebaseCommitted(onto: below)
        object.extras?.edits.endRestated(
          in: RowPointer(object.row), below: below.row, object.layout)
      }
      core.drafts.note(refreshed: object)
      core.hooks.noteSnapshot(of: object, flags: .refresh)
    }
    CancelledChanges(core).settleEnded(objects)
    core.drafts.forgetReferences()
  }

  /// Reads the rows of many objects together.
  private func readAhead(_ objects: [ManagedObject]) {
    if objects.count <= 8 { return }
    let chain = core.keys.withSettledKeys { coordinator.ledger.view(of: node) }
    core.reader.readAhead(objects, over: chain)
  }

  /// Changes that children have saved into the context count as made from the newest rows.
  private func standByReceived(of objects: [ManagedObject]) {
    let layers = coordinator.ledger.layers(of: node)
    if layers.contains(where: { $0.ticket != nil }) { rebase(objects.map(\.registeredID)) }
  }

  /// Unsaved deletions count as made of the newest rows.
  private func standByDeletions(of objects: [ManagedObject]) {
    if objects.isEmpty { return }
    if objects.contains(where: { $0.isInEvent }) { core.publisher.publish() }
    rebase(objects.map(\.registeredID))
  }

  /// Has unsaved changes to objects count as made from the newest rows. That makes layers anew, which have
  /// the changes of other objects, too: so of a single object the row is noted, and the layers are made anew
  /// when somebody asks for them, for all such objects at once.
  private func rebase(_ ids: [ManagedObjectID]) {
    if ids.isEmpty { return }
    if ids.count == 1 {
      switch LayerRebase(core, of: []).need(of: ids[0]) {
      case .nothing: return
      case .row(let row): return core.pending.rebase(ids[0], onto: row)
      case .all: break
      }
    }
    core.keys.settleRefreshes()
    LayerRebase(core, of: Set(ids)).rebaseUnsaved()
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
      let property = other.layout.properties[index]
      // What a child has made of it meanwhile stands, and was made of what the rule had cleared.
      if !property.isOneToOne, core.relations.isBrought(other.registeredID, at: index) { continue }
      core.relations.giveBack(other, through: property, leadingTo: cause)
    }
  }

  /// The context's own deletions of objects that a child's save has brought back.
  /// - Complexity: O(unsaved objects · log layers).
  func overruledDeletions() -> [OverruledDeletion] {
    if coordinator.has(.standingDeletions) { return [] }
    core.keys.settleRefreshes()
    let (chain, below) = core.keys.withSettledKeys {
      (coordinator.ledger.view(of: node), coordinator.ledger.view(below: node))
    }
    return core.pending.objects.compactMap { object in
      guard object.isDoomed, !object.isInEvent, !object.layout.isJoin,
        let update = chain.returning(object.registeredID)
      else { return nil }
      let isGoneBelow =
        below.newest(object.registeredID).map { $0.kind == .deletion }
        ?? coordinator.isKnownDeleted(object.key, of: object.layout)
      return OverruledDeletion(object, by: isGoneBelow ? nil : update, &core.drafts.builder)
    }
  }

  /// Takes deletions back, each as a whole, with what it has entailed. What the context had changed of an
  /// object before it deleted it stays its own unsaved edit, where the child has seen it; else it goes with
  /// the deletion.
  func takeBack(_ overruled: [OverruledDeletion]) {
    // With another one they may have come back.
    var overruled = overruled.filter(\.object.isDoomed)
    if overruled.isEmpty { return }
    core.keys.settleRefreshes()
    core.publisher.publish()
    let isNoted = core.undoManager != nil
    let entailed = entailedDeletions(of: overruled.map(\.object))
    let coming = entailed.union(overruled.map(\.object.registeredID))
    for index in overruled.indices {
      overruled[index].clearLost(
        comingBackWith: coming, keys: core.keys, builder: &core.drafts.builder)
    }
    let edits = overruled.map { ($0.object.registeredID, $0.edit?.update) }
    let gone = overruled.lazy.filter(\.isGoneBelow).map(\.object.registeredID)
    let lost = overruled.lazy.filter { !$0.lost.isEmpty }
      .map { ($0.object.registeredID, $0.lost) }
    let deletions = EndedDeletions(
      Dictionary(uniqueKeysWithValues: edits), losing: Dictionary(uniqueKeysWithValues: lost),
      alsoGoneAbove: Set(gone), takingAlong: entailed)
    let ended = coordinator.ledger.end(deletions, in: node)
    CancelledChanges(core).settle(ended)
    core.walks.forgetAllWalks()
    // All are there before one is led to another.
    let departures = overruled.map(revive)
    for (deletion, departure) in zip(overruled, departures) {
      takeBack(departure.entailed, of: deletion.object)
      // Where the child has led an end of the object itself, that stands.
      let pairs = departure.pairs.filter {
        !core.relations.isBrought(deletion.object.registeredID, at: $0.property.index)
      }
      core.relations.giveBack(pairs, of: deletion.object)
    }
    clearLost(of: entailed.compactMap(core.keys.registeredObject))
    if isNoted { core.undoManager?.withoutNoting { core.publisher.publish() } }
  }

  /// Clears the lost references of objects that were deleted by a cascade and have come back with their owner.
  private func clearLost(of objects: [ManagedObject]) {
    let objects = objects.filter { $0.isAlive && !$0.layout.digest.toOnes.isEmpty }
    core.reader.loadFaults(among: objects)
    for object in objects {
      if object.isFault { core.reader.fire(object) }
      guard object.isAlive, !object.isUnread else { continue }
      let lost = LostReferences(of: object, core.keys)
      core.deleter.nullifyAgain(lost.deleted, of: object)
      for index in lost.taken.indices {
        core.relations.writeEnd(of: object, through: object.layout.properties[index], to: nil)
      }
    }
  }

  /// The objects that were deleted with others, and come back with them.
  private func entailedDeletions(of objects: [ManagedObject]) -> Set<ManagedObjectID> {
    var ids: Set<ManagedObjectID> = []
    var rest = objects
    while let object = rest.popLast() {
      for case .deleted(let id) in object.extras?.entailed ?? [] where ids.insert(id).inserted {
        if let other = core.keys.registeredObject(id), other.isDoomed { rest.append(other) }
      }
    }
    return ids
  }

  /// Has an object stand for its row again whose deletion is no more in the layers.
  /// - Returns: What its deletion has entailed, and the links that the context had edited and does not keep.
  private func revive(
    _ deletion: OverruledDeletion
  ) -> (entailed: [Entailment], pairs: [Relations.EditedPair]) {
    let object = deletion.object
    core.hooks.willTurnIntoFault(object)
    let entailed = object.extras?.entailed ?? []
    let kept = deletion.edit?.update.changed ?? PropertySet()
    let pairs = core.relations.editedPairs(of: object).filter { !kept.contains($0.property.index) }
    core.event.untold.drop(object.registeredID)
    _ = core.drafts.release(object)
    object.makeFault()
    core.drafts.note(refreshed: object)
    core.hooks.didTurnIntoFault(object)
    if let update = deletion.edit?.update {
      core.reader.fire(object)
      let before = core.drafts.builder.merge(
        update.changed, from: update.base, onto: RowPointer(object.row), object.layout)
      core.catchUp.takeBack(object.key, root: object.layout.rootNumber, kind: .update, base: before)
    }
    return (entailed, pairs)
  }

  /// Makes a fault of an object, and tells it before and afterwards.
  private func turnIntoFault(_ object: ManagedObject) {
    core.hooks.willTurnIntoFault(object)
    dropValues(of: object)
    core.hooks.didTurnIntoFault(object)
  }

  /// Drops an object's unsaved edits, also those of earlier events, and its values.
  package func dropValues(of object: ManagedObject) {
    if object.hasOwnChanges { core.drafts.drop(object) }
    _ = core.drafts.release(object)
    object.makeFault()
  }
}

extension LayerChain {
  /// The change by which an object is there that a deletion had taken away; nil where the newest change is no
  /// update.
  fileprivate func returning(_ id: ManagedObjectID) -> RowUpdate? {
    var returning: RowUpdate?
    forEachChange(of: id) { change in
      guard case .updated(let update) = change else {
        returning = nil
        return
      }
      if returning == nil || update.isRestored { returning = update }
    }
    return returning
  }
}
