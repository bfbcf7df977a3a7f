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
    insertions.insert(set.inserted, set.entity, &resolved)
    for update in set.updated { try resolve(update, set.entity, &resolved) }
    let deletions = DeletionRule(draft: draft)
    for deletion in set.deleted { try deletions.resolve(deletion, set.entity, &resolved) }
    guard resolved.isAdapted else { return set }
    return EntityChanges(
      entity: set.entity, inserted: resolved.inserted, updated: resolved.updated,
      deleted: resolved.deleted)
  }

  /// Accepts an update as it is, combines it with what came in meanwhile, or refuses it.
  private func resolve(
    _ update: RowUpdate, _ entity: EntityLayout, _ resolved: inout Resolved
  ) throws(CauldronError) {
    let id = coordinator.id(update.row.key, entity)
    if draft.later.dropped.contains(id), !coordinator.has(.keptElsewhere) {
      return drop(update, id, entity, &resolved)
    }
    switch receiver.current(id, entity, update.base) {
    // The store tells whether the row is there; if it is not, the layer is compared with that.
    case .unknown:
      accept(receiver.isStore ? update.restoring(false) : update, &resolved, insteadOf: update)
    // What was created there and not saved is not missed by what only a deletion has changed.
    case .missing where update.changed.subtracting(update.nullified).isEmpty:
      resolved.isAdapted = true
    case .missing:
      guard insertions.insertAgain(update, entity, &resolved) else { throw .dependency(entity, id) }
    case .deleted:
      // That it is not in the store was found out, but nobody has deleted it.
      if insertions.insertAgain(update, entity, &resolved) { return }
      resolveDeleted(update, id, entity, &resolved)
    case .row(let row):
      if receiver.doubts.same(row, update.base), policy != .strict || update.first == update.base {
        accept(update.restoring(false), &resolved, insteadOf: update)
      } else if let merged = merging.merge(update, onto: row, id, entity) {
        resolved.isAdapted = true
        resolved.updated.append(merged)
        if !merged.row.difference(from: update.row, entity).isEmpty { draft.isNoticed = true }
      } else {
        leave(update, to: row, entity, &resolved)
      }
    }
  }

  /// Nothing is left of an update.
  private func leave(
    _ update: RowUpdate, to row: RowPointer, _ entity: EntityLayout, _ resolved: inout Resolved
  ) {
    (resolved.isAdapted, draft.isNoticed) = (true, true)
    guard let alone = update.alone, let marker = existing.marker(on: row, entity, alone: alone)
    else { return }
    resolved.updated.append(marker)
  }

  /// Drops an update because the policy has dropped what another layer of the save has changed of the object.
  private func drop(
    _ update: RowUpdate, _ id: ManagedObjectID, _ entity: EntityLayout, _ resolved: inout Resolved
  ) {
    let row = receiver.row(id, entity)
    draft.note(.droppedEdit, update.changed.subtracting(update.nullified), update, row, id, entity)
    leave(update, to: row ?? update.base, entity, &resolved)
  }

  /// Accepts an update as it is, but for whether it brings its object back: not where the row is there,
  /// because the deletion has come to nothing.
  private func accept(
    _ update: RowUpdate, _ resolved: inout Resolved, insteadOf given: RowUpdate
  ) {
    if update.isRestored != given.isRestored { resolved.isAdapted = true }
    resolved.updated.append(update)
  }

  /// The other side has deleted what was changed here.
  private func resolveDeleted(
    _ update: RowUpdate, _ id: ManagedObjectID, _ entity: EntityLayout, _ resolved: inout Resolved
  ) {
    (resolved.isAdapted, draft.isNoticed) = (true, true)
    let changed = update.changed.subtracting(update.nullified)
    // A policy has overruled the deletion further down, and told of it.
    if update.isRestored {
      let update = overDeletedRow(update, id, entity)
      if restore(update, entity, &resolved) {
        return draft.noteLinks(restoring: update.row, changed, id, entity)
      }
    }
    // That a deletion elsewhere has changed it is no edit.
    if changed.isEmpty { return }
    switch policy {
    case .mergeByPropertyStoreTrump, .rollback:
      draft.note(.droppedEdit, changed, update, nil, id, entity)
    case .mergeByPropertyObjectTrump, .overwrite:
      let update = overDeletedRow(update, id, entity)
      guard restore(update, entity, &resolved) else { fallthrough }
      draft.note(.insertedAgain, changed, update, nil, id, entity)
      draft.noteLinks(restoring: update.row, changed, id, entity)
    case .error, .strict:
      let isDiscarded = !receiver.isStore && receiver.neverSaved(id, entity)
      draft.conflicts.append(
        isDiscarded
          ? .dependency(entity, id)
          : .conflict(
            MergeConflict(
              id, entity, was: update.base, theirs: nil, mine: update.row, changed), entity))
    }
  }

  /// Merges an update that overrules a deletion with the deleted row, if another save had changed this row. The
  /// row is there again as soon as the deletion has come to nothing.
  ///
  /// A row of a lower version lacks unsaved edits that the update was made from.
  private func overDeletedRow(
    _ update: RowUpdate, _ id: ManagedObjectID, _ entity: EntityLayout
  ) -> RowUpdate {
    guard !receiver.isStore, case .deleted(let deletion) = receiver.chain.newest(id),
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
    return merging.merge(update, onto: deletion.base, id, entity) ?? update
  }

  /// Brings an object back. In a context that is an update still, because the deletion below may come to
  /// nothing; in the store it is an insertion.
  /// - Returns: Whether that can be: no version may be too high.
  private func restore(
    _ update: RowUpdate, _ entity: EntityLayout, _ resolved: inout Resolved
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
