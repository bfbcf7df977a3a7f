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

// What each policy does stands in the documentation of `MergePolicy`.
extension PushCheck {
  /// Accepts an update as it is, combines it with what came in meanwhile, or refuses it.
  mutating func resolve(
    _ update: RowUpdate, _ entity: EntityLayout, _ resolved: inout Resolved
  ) throws(CauldronError) {
    let id = id(update.row.key, entity)
    if later.dropped.contains(id), !coordinator.has(.keptElsewhere) {
      return drop(update, id, entity, &resolved)
    }
    switch current(id, entity, update.base) {
    // The store tells whether the row is there; if it is not, the layer is compared with that.
    case .unknown: accept(isCommit ? update.restoring(false) : update, &resolved, insteadOf: update)
    // What was created there and not saved is not missed by what only a deletion has changed.
    case .missing where update.changed.subtracting(update.nullified).isEmpty:
      resolved.isAdapted = true
    case .missing:
      guard insertAgain(update, entity, &resolved) else { throw .dependency(entity, id) }
    case .deleted:
      // That it is not in the store was found out, but nobody has deleted it.
      if insertAgain(update, entity, &resolved) { return }
      resolveDeleted(update, id, entity, &resolved)
    case .row(let row):
      if doubts.same(row, update.base), policy != .strict || update.first == update.base {
        accept(update.restoring(false), &resolved, insteadOf: update)
      } else if let merged = merge(update, onto: row, id, entity) {
        resolved.isAdapted = true
        resolved.updated.append(merged)
        if !merged.row.difference(from: update.row, entity).isEmpty { isNoticed = true }
      } else {
        leave(update, to: row, entity, &resolved)
      }
    }
  }

  /// Nothing is left of an update.
  private mutating func leave(
    _ update: RowUpdate, to row: RowPointer, _ entity: EntityLayout, _ resolved: inout Resolved
  ) {
    (resolved.isAdapted, isNoticed) = (true, true)
    guard let alone = update.alone, let marker = marker(on: row, entity, alone: alone)
    else { return }
    resolved.updated.append(marker)
  }

  /// Drops an update because the policy has dropped what another layer of the save has changed of the object.
  private mutating func drop(
    _ update: RowUpdate, _ id: ManagedObjectID, _ entity: EntityLayout, _ resolved: inout Resolved
  ) {
    let row = receiver(id, entity)
    note(.droppedEdit, update.changed.subtracting(update.nullified), update, row, id, entity)
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
  private mutating func resolveDeleted(
    _ update: RowUpdate, _ id: ManagedObjectID, _ entity: EntityLayout, _ resolved: inout Resolved
  ) {
    (resolved.isAdapted, isNoticed) = (true, true)
    let changed = update.changed.subtracting(update.nullified)
    // A policy has overruled the deletion further down, and told of it.
    if update.isRestored, restore(update, entity, &resolved) {
      return noteLinks(restoring: update.row, changed, id, entity)
    }
    // That a deletion elsewhere has changed it is no edit.
    if changed.isEmpty { return }
    switch policy {
    case .mergeByPropertyStoreTrump, .rollback: note(.droppedEdit, changed, update, nil, id, entity)
    case .mergeByPropertyObjectTrump, .overwrite:
      guard restore(update, entity, &resolved) else { fallthrough }
      note(.insertedAgain, changed, update, nil, id, entity)
      noteLinks(restoring: update.row, changed, id, entity)
    case .error, .strict:
      conflicts.append(
        .conflict(
          MergeConflict(
            id, entity, was: update.base, theirs: nil, mine: update.row, changed), entity))
    }
  }

  /// Brings an object back. In a context that is an update still, because the deletion below may come to
  /// nothing; in the store it is an insertion.
  /// - Returns: Whether that can be: no version may be too high.
  private mutating func restore(
    _ update: RowUpdate, _ entity: EntityLayout, _ resolved: inout Resolved
  ) -> Bool {
    // So far away that nobody takes the new row for the old one.
    let (version, overflows) = update.base.version.addingReportingOverflow(1 << 16)
    if overflows { return false }
    if !isCommit, !coordinator.has(.restoredAsNew) {
      resolved.updated.append(update.restoring(true))
      return true
    }
    let row = builder.copy(update.row, entity)
    builder.close()
    row.setVersion(version)
    row.setMaker(maker())
    resolved.inserted.append(row)
    return true
  }

  /// - Returns: What is left of the update, on top of the other row; nil for nothing.
  mutating func merge(
    _ update: RowUpdate, onto other: RowPointer, _ id: ManagedObjectID, _ entity: EntityLayout
  ) -> RowUpdate? {
    // Equal new values are a conflict, too: two withdrawals that leave the same balance are two.
    let met = differences(of: other, from: update.base, entity).intersection(update.changed)
    // A deletion has made a reference nil that leads elsewhere by now.
    let lapsed = met.intersection(update.nullified)
    let both = met.subtracting(lapsed)
      .subtracting(cleared(met, update.base, other, entity))
    var changed = update.changed.subtracting(lapsed)
    let differs = policy == .strict ? differences(of: other, from: update.first, entity) : both
    if !differs.isEmpty {
      switch policy {
      case .error, .strict:
        conflicts.append(
          .conflict(
            MergeConflict(
              id, entity, was: policy == .strict ? update.first : update.base, theirs: other,
              mine: update.row, differs), entity))
      case .mergeByPropertyStoreTrump:
        changed = changed.subtracting(both)
        note(.tookTheirs, both, update, other, id, entity)
      case .mergeByPropertyObjectTrump:
        note(.keptMine, both, update, other, id, entity)
        changed = changed.subtracting(equal(both, in: update.row, and: other, entity))
      case .overwrite:
        changed.formUnion(update.row.difference(from: other, entity))
        note(.keptMine, changed, update, other, id, entity)
        changed = changed.subtracting(equal(both, in: update.row, and: other, entity))
      case .rollback:
        note(.tookTheirs, both, update, other, id, entity)
        note(.droppedEdit, changed.subtracting(both), update, other, id, entity)
        droppedObjects.insert(id)
        return nil
      }
    }
    if changed.isEmpty { return nil }
    let row = builder.merge(changed, from: update.row, onto: other, entity)
    row.setVersion(other.nextVersion)
    row.setMaker(maker())
    return RowUpdate(
      row: row, base: other, changed: changed,
      first: differs.isEmpty && !doubts.same(update.first, other) ? update.first : nil,
      nullified: update.nullified.intersection(changed), alone: update.alone)
  }

  /// Accepts a deletion, drops it, or refuses it where the object changed meanwhile.
  mutating func resolve(
    _ deletion: RowDeletion, _ entity: EntityLayout, _ resolved: inout Resolved
  ) throws(CauldronError) {
    let id = id(deletion.key, entity)
    switch current(id, entity, deletion.base) {
    case .unknown: resolved.deleted.append(deletion)
    case .missing: throw .dependency(entity, id)
    case .deleted:
      (resolved.isAdapted, isNoticed) = (true, true)
      // What else the layer does may rest on the object, as when its rest is paid out to another.
      guard policy == .error || policy == .strict else {
        note(.deletedAlready, deletionOf: id, entity)
        return
      }
      conflicts.append(
        .conflict(
          MergeConflict(id, entity, was: deletion.base, theirs: nil, mine: nil, PropertySet()),
          entity))
    case .row(let row):
      if doubts.same(row, deletion.base) {
        resolved.deleted.append(deletion)
      } else {
        resolved.isAdapted = true
        delete(deletion, of: row, id, entity, &resolved)
      }
    }
  }

  /// Deletes another row than the one that was read.
  private mutating func delete(
    _ deletion: RowDeletion, of row: RowPointer, _ id: ManagedObjectID, _ entity: EntityLayout,
    _ resolved: inout Resolved
  ) {
    let differing = differences(of: row, from: deletion.base, entity)
    let theirs = differing.subtracting(cleared(differing, deletion.base, row, entity))
    if theirs.isEmpty {
      resolved.deleted.append(RowDeletion(base: row))
      return
    }
    switch policy {
    case .error, .strict:
      conflicts.append(
        .conflict(
          MergeConflict(id, entity, was: deletion.base, theirs: row, mine: nil, theirs), entity))
    case .mergeByPropertyStoreTrump, .rollback:
      isNoticed = true
      note(.keptTheirs, deletionOf: id, entity)
    case .mergeByPropertyObjectTrump, .overwrite:
      resolved.deleted.append(RowDeletion(base: row))
      note(.deletedTheirs, deletionOf: id, entity)
      noteLinks(deleting: row, id, entity)
    }
  }

  /// Those of the properties to which both sides have given one value: that the policy has decided for
  /// this side, they are no edit any more. An end of a one-to-one link is, as it is part of its link.
  private func equal(
    _ properties: PropertySet, in row: RowPointer, and other: RowPointer, _ entity: EntityLayout
  ) -> PropertySet {
    coordinator.has(.keptSetBack)
      ? PropertySet()
      : properties.subtracting(row.difference(from: other, entity))
        .subtracting(entity.digest.oneToOnes)
  }

  /// What others may have changed of a row: not what the store derives, which nobody can set.
  private func differences(
    of theirs: RowPointer, from was: RowPointer, _ entity: EntityLayout
  ) -> PropertySet {
    theirs.difference(from: was, entity).subtracting(PropertySet(entity.digest.derived))
  }

  /// The references that became nil because their targets were deleted elsewhere: that is no edit.
  private func cleared(
    _ properties: PropertySet, _ was: RowPointer, _ theirs: RowPointer, _ entity: EntityLayout
  ) -> PropertySet {
    var result = PropertySet()
    for property in entity.digest.toOnes where properties.contains(property.index) {
      guard theirs.isNull(property.index), !was.isNull(property.index),
        let destination = property.destination?.entity,
        isDeleted(was.slot(property.index), destination)
      else { continue }
      result.insert(property.index)
    }
    return result
  }

  /// Whether it is known that there is no object with a key any more.
  func isDeleted(_ key: Int64, _ entity: EntityLayout) -> Bool {
    let newest = entity.family.lazy.compactMap { chain.newest(id(key, $0.entity)) }.first
    if let newest { return newest.kind == .deletion }
    guard let known = coordinator.cache.known(key, root: entity.rootNumber) else { return false }
    return known == nil
  }
}
