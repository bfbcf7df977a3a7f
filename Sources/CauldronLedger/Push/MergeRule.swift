import CauldronModel
import CauldronStore

/// Merges an update with a row that another save has changed since, property by property.
struct MergeRule: PushRule {
  let draft: PushDraft

  /// - Returns: What is left of the update, on top of the other row; nil for nothing.
  func merge(
    _ update: RowUpdate, onto other: RowPointer, id: ManagedObjectID, of entity: EntityLayout
  ) -> RowUpdate? {
    // Equal new values are a conflict, too: two withdrawals that leave the same balance are two.
    let differing = differences(of: other, from: update.base, entity).intersection(update.changed)
    let freed = receiver.freed(among: differing, in: other, was: update.base, of: entity)
    let met = differing.subtracting(freed)
    // A deletion has made a reference nil that leads elsewhere by now.
    let lapsed = met.intersection(update.nullified)
    let both = met.subtracting(lapsed)
      .subtracting(cleared(met, was: update.base, theirs: other, of: entity))
    var changed = update.changed.subtracting(lapsed)
    let differs =
      policy == .strict
      ? differences(of: other, from: update.first, entity).subtracting(freed) : both
    if !differs.isEmpty {
      switch policy {
      case .error, .strict:
        draft.conflicts.append(
          .conflict(
            MergeConflict(
              id, entity, was: policy == .strict ? update.first : update.base, theirs: other,
              mine: update.row, differs), of: entity))
      case .mergeByPropertyStoreTrump:
        changed = changed.subtracting(both)
        draft.note(.tookTheirs, of: both, in: update, over: other)
      case .mergeByPropertyObjectTrump:
        draft.note(.keptMine, of: both, in: update, over: other)
        changed = changed.subtracting(equal(both, in: update.row, and: other, of: entity))
      case .overwrite:
        // What a later layer of the push changes comes with that one.
        changed.formUnion(
          update.row.difference(from: other, entity)
            .subtracting(draft.later.changedProperties(of: id)))
        draft.note(.keptMine, of: changed, in: update, over: other)
        changed = changed.subtracting(equal(both, in: update.row, and: other, of: entity))
      case .rollback:
        draft.note(.tookTheirs, of: both, in: update, over: other)
        draft.note(.droppedEdit, of: changed.subtracting(both), in: update, over: other)
        draft.droppedObjects.insert(id)
        return nil
      }
    }
    if changed.isEmpty { return nil }
    let row = draft.builder.merge(changed, from: update.row, onto: other, entity)
    row.setVersion(other.nextVersion)
    row.setMaker(draft.maker())
    return RowUpdate(
      row: row, base: other, changed: changed,
      first: differs.isEmpty && !receiver.doubts.same(update.first, with: other)
        ? update.first : nil,
      nullified: update.nullified.intersection(changed), alone: update.alone)
  }

  /// Those of the properties to which both sides have given one value: that the policy has decided for
  /// this side, they are no edit any more. An end of a one-to-one link is, as it is part of its link.
  private func equal(
    _ properties: PropertySet, in row: RowPointer, and other: RowPointer, of entity: EntityLayout
  ) -> PropertySet {
    coordinator.has(.keptSetBack)
      ? PropertySet()
      : properties.subtracting(row.difference(from: other, entity))
        .subtracting(entity.digest.oneToOnes)
  }

  /// The properties of a row that another save may have changed: derived ones are left out, as no save sets them.
  func differences(
    of theirs: RowPointer, from was: RowPointer, _ entity: EntityLayout
  ) -> PropertySet {
    theirs.difference(from: was, entity).subtracting(PropertySet(entity.digest.derived))
  }

  /// The references that became nil because their targets were deleted elsewhere: that is no edit.
  func cleared(
    _ properties: PropertySet, was: RowPointer, theirs: RowPointer, of entity: EntityLayout
  ) -> PropertySet {
    var result = PropertySet()
    for property in entity.digest.toOnes where properties.contains(property.index) {
      guard theirs.isNull(property.index), !was.isNull(property.index),
        let destination = property.destination?.entity,
        receiver.isDeleted(was.slot(property.index), of: destination)
      else { continue }
      result.insert(property.index)
    }
    return result
  }
}
