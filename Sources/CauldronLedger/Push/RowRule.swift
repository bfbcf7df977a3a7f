import CauldronModel
import CauldronStore

/// The changes of one entity as they can be accepted.
struct Resolved {
  var inserted: [RowPointer]
  var updated: [RowUpdate] = []
  var deleted: [RowDeletion] = []
  /// Whether anything differs from what was pushed.
  var isAdapted = false
}

/// Compares each row of an entity with the receiver's, and has the policy decide where they differ.
///
/// What each policy does stands in the documentation of `MergePolicy`.
struct RowRule: PushRule {
  let draft: PushDraft

  private var merging: MergeRule { MergeRule(draft: draft) }
  private var insertions: InsertionRule { InsertionRule(draft: draft) }
  private var existing: ExistingObjectRule { ExistingObjectRule(draft: draft) }

  /// The changes of an entity as far as each row can be judged by itself.
  /// - Complexity: O(rows); hardly more than a comparison of addresses where nobody else has changed them.
  func checked(_ set: EntityChanges) throws(CauldronError) -> EntityChanges {
    let mayDiffer =
      insertions.mayBeShared(set) || set.hasRestored || !draft.later.dropped.isEmpty
    if !mayDiffer, receiver.isAsBefore(set) { return set }
    try receiver.readDoubtful(set)
    var resolved = Resolved(inserted: [])
    insertions.insert(set.inserted, of: set.entity, into: &resolved)
    for update in set.updated { try resolve(update, of: set.entity, into: &resolved) }
    let deletions = DeletionRule(draft: draft)
    for deletion in set.deleted { try deletions.resolve(deletion, of: set.entity, into: &resolved) }
    guard resolved.isAdapted else { return set }
    return EntityChanges(
      entity: set.entity, inserted: resolved.inserted, updated: resolved.updated,
      deleted: resolved.deleted)
  }

  /// Accepts an update as it is, combines it with what came in meanwhile, or refuses it.
  private func resolve(
    _ update: RowUpdate, of entity: EntityLayout, into resolved: inout Resolved
  ) throws(CauldronError) {
    let id = coordinator.id(update.row.key, of: entity)
    if draft.later.dropped.contains(id), !coordinator.has(.keptElsewhere) {
      return drop(update, of: id, entity: entity, into: &resolved)
    }
    switch receiver.current(id, of: entity, base: update.base) {
    // The store tells whether the row is there; if it is not, the layer is compared with that.
    case .unknown:
      accept(
        receiver.isStore ? update.restoring(false) : update, into: &resolved, insteadOf: update)
    // What was created there and not saved is not missed by what only a deletion has changed.
    case .missing where update.changed.subtracting(update.nullified).isEmpty:
      resolved.isAdapted = true
    case .missing:
      guard insertions.insertAgain(update, of: entity, into: &resolved) else {
        throw .dependency(of: entity, id: id)
      }
    case .deleted:
      // That it is not in the store was found out, but nobody has deleted it.
      if insertions.insertAgain(update, of: entity, into: &resolved) { return }
      resolveDeleted(update, of: id, entity: entity, into: &resolved)
    case .row(let row):
      if receiver.doubts.same(row, with: update.base),
        policy != .strict || update.first == update.base
      {
        accept(update.restoring(false), into: &resolved, insteadOf: update)
      } else if let merged = merging.merge(update, onto: row, id: id, of: entity) {
        resolved.isAdapted = true
        resolved.updated.append(merged)
        if !merged.row.difference(from: update.row, entity).isEmpty { draft.isNoticed = true }
      } else {
        leave(update, to: row, of: entity, into: &resolved)
      }
    }
  }

  /// Nothing is left of an update.
  private func leave(
    _ update: RowUpdate, to row: RowPointer, of entity: EntityLayout, into resolved: inout Resolved
  ) {
    (resolved.isAdapted, draft.isNoticed) = (true, true)
    guard let alone = update.alone, let marker = existing.marker(on: row, entity, alone: alone)
    else { return }
    resolved.updated.append(marker)
  }

  /// Drops an update because the policy has dropped what another layer of the save has changed of the object.
  private func drop(
    _ update: RowUpdate, of id: ManagedObjectID, entity: EntityLayout, into resolved: inout Resolved
  ) {
    let row = receiver.row(id, of: entity)
    draft.note(
      .droppedEdit, of: update.changed.subtracting(update.nullified), in: update, over: row)
    if row == nil, update.isRestored, case .deleted(let deletion) = receiver.chain.newest(id),
      restore(comingBack(as: deletion.base), of: entity, into: &resolved)
    {
      resolved.isAdapted = true
      return draft.noteLinks(
        restoring: deletion.base, edited: PropertySet(), id: id, of: entity)
    }
    leave(update, to: row ?? update.base, of: entity, into: &resolved)
  }

  /// Accepts an update as it is, but for whether it brings its object back: not where the row is there,
  /// because the deletion has come to nothing.
  private func accept(
    _ update: RowUpdate, into resolved: inout Resolved, insteadOf given: RowUpdate
  ) {
    if update.isRestored != given.isRestored { resolved.isAdapted = true }
    resolved.updated.append(update)
  }

  /// The other side has deleted what was changed here.
  private func resolveDeleted(
    _ update: RowUpdate, of id: ManagedObjectID, entity: EntityLayout, into resolved: inout Resolved
  ) {
    (resolved.isAdapted, draft.isNoticed) = (true, true)
    // A policy has overruled the deletion further down, and told of it.
    if update.isRestored {
      let update = overDeletedRow(update, of: id, entity: entity)
      if restore(update, of: entity, into: &resolved) {
        let edited = update.changed.subtracting(update.nullified)
        return draft.noteLinks(restoring: update.row, edited: edited, id: id, of: entity)
      }
    }
    let changed = update.changed.subtracting(update.nullified)
    // That a deletion elsewhere has changed it is no edit.
    if changed.isEmpty { return }
    switch policy {
    case .mergeByPropertyStoreTrump, .rollback:
      draft.note(.droppedEdit, of: changed, in: update, over: nil)
    case .mergeByPropertyObjectTrump, .overwrite:
      let update = overDeletedRow(update, of: id, entity: entity)
      guard restore(update, of: entity, into: &resolved) else { fallthrough }
      draft.note(.insertedAgain, of: changed, in: update, over: nil)
      draft.noteLinks(restoring: update.row, edited: changed, id: id, of: entity)
    case .error, .strict:
      let isDiscarded = !receiver.isStore && receiver.neverSaved(id, of: entity)
      draft.conflicts.append(
        isDiscarded
          ? .dependency(of: entity, id: id)
          : .conflict(
            MergeConflict(
              id, entity, was: update.base, theirs: nil, mine: update.row, changed), of: entity))
    }
  }

  /// Merges an update that overrules a deletion with the deleted row, if another save had changed this row. The
  /// row is there again as soon as the deletion has come to nothing.
  ///
  /// A row of a lower version lacks unsaved edits that the update was made from.
  private func overDeletedRow(
    _ update: RowUpdate, of id: ManagedObjectID, entity: EntityLayout
  ) -> RowUpdate {
    guard case .deleted(let deletion) = receiver.chain.newest(id),
      deletion.base.version > update.base.version
    else { return update }
    var update = update
    if policy == .overwrite {
      // The object comes back as it is shown.
      let differing = merging.differences(of: update.row, from: deletion.base, entity)
        .subtracting(draft.later.changedProperties(of: id))
      update = RowUpdate(
        row: update.row, base: update.base, changed: update.changed.union(differing),
        first: update.first, nullified: update.nullified, alone: update.alone,
        isRestored: update.isRestored)
    }
    return merging.merge(update, onto: deletion.base, id: id, of: entity)
      ?? comingBack(as: deletion.base)
  }

  /// An object that comes back as another save has left it, because its own edits have lost.
  private func comingBack(as row: RowPointer) -> RowUpdate {
    RowUpdate(row: row, base: row, changed: PropertySet(), isRestored: true)
  }

  /// Brings an object back. In a context that is an update still, because the deletion below may come to
  /// nothing; in the store it is an insertion.
  /// - Returns: Whether that can be: no version may be too high.
  private func restore(
    _ update: RowUpdate, of entity: EntityLayout, into resolved: inout Resolved
  ) -> Bool {
    // So far away that nobody takes the new row for the old one.
    let (version, overflows) = update.base.version.addingReportingOverflow(1 << 16)
    if overflows { return false }
    if !receiver.isStore, !coordinator.has(.restoredAsNew) {
      resolved.updated.append(update.restoring(true))
      return true
    }
    let row = draft.builder.copy(update.row, entity)
    draft.builder.close()
    row.setVersion(version)
    row.setMaker(draft.maker())
    resolved.inserted.append(row)
    return true
  }
}
