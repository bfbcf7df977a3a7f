import CauldronModel
import CauldronStore

/// Has new rows that another context inserts as well be one row.
///
/// Contexts that ask for one unique value insert the same object, each for itself: the order of
/// their saves does not matter, nor whether all are saved. The first insertion that arrives is one;
/// the others become updates.
struct InsertionRule: PushRule {
  let draft: PushDraft

  private var existing: ExistingObjectRule { ExistingObjectRule(draft: draft) }

  /// Whether the set may insert rows that another context has inserted.
  func mayBeShared(_ set: EntityChanges) -> Bool {
    !set.inserted.isEmpty && !set.entity.uniqueKeys.isEmpty
      && coordinator.ledger.sharedKeys.value > 0
  }

  /// Accepts new rows, those that exist already as changes to these.
  func insert(
    _ rows: [RowPointer], of entity: EntityLayout, into resolved: inout Resolved
  ) {
    let root = entity.rootNumber
    guard coordinator.ledger.sharedKeys.value > 0, !entity.uniqueKeys.isEmpty else {
      resolved.inserted = rows
      return
    }
    for row in rows {
      guard coordinator.claims.isShared(row.key, root: root) else {
        resolved.inserted.append(row)
        continue
      }
      if let other = receiver.row(coordinator.id(row.key, of: entity), of: entity),
        other.entityNumber == entity.number
      {
        resolved.isAdapted = true
        if let update = existing.joined(row, with: other, of: entity) {
          resolved.updated.append(update)
        }
      } else if let update = restored(row, of: entity) {
        resolved.isAdapted = true
        resolved.updated.append(update)
      } else {
        resolved.inserted.append(
          wasDeleted(row.key, of: entity) ? reinserted(row, of: entity) : row)
        if resolved.inserted.last != row { resolved.isAdapted = true }
      }
    }
  }

  /// Whether a row that the receiver does not have was there before.
  private func wasDeleted(_ key: Int64, of entity: EntityLayout) -> Bool {
    if receiver.chain.newest(coordinator.id(key, of: entity))?.kind == .deletion { return true }
    return receiver.mayRead && !coordinator.keys.isUncommitted(key, root: entity.rootNumber)
  }

  /// The row as that of an object that comes back over a deletion in the receiving context, which may come to
  /// nothing; nil where there is no such deletion.
  private func restored(_ row: RowPointer, of entity: EntityLayout) -> RowUpdate? {
    let id = coordinator.id(row.key, of: entity)
    guard !receiver.isStore, !coordinator.has(.restoredAsNew),
      case .deleted(let deletion) = receiver.chain.newest(id)
    else { return nil }
    let set = coordinator.claims.origin(of: row.key, root: entity.rootNumber)?
      .withRow { row.difference(from: $0, entity) }
    let changed = (set ?? row.difference(from: entity.template.row, entity))
      .intersection(row.difference(from: deletion.base, entity))
    let new = draft.copy(row, key: row.key, of: entity)
    new.setVersion(deletion.base.nextVersion)
    new.setMaker(draft.maker())
    draft.isNoticed = true
    draft.note(.insertedAgain, deletionOf: id, of: entity)
    return RowUpdate(
      row: new, base: deletion.base, changed: changed.union(entity.uniqueProperties),
      isRestored: true)
  }

  /// The row with a version so far away that it is not taken for the deleted one.
  private func reinserted(_ row: RowPointer, of entity: EntityLayout) -> RowPointer {
    let distance: Int32 = 1 << 16
    let (version, overflows) = row.version.addingReportingOverflow(distance)
    // A context further down has seen to it, and told of it.
    if overflows || row.version > distance { return row }
    let new = draft.builder.copy(row, entity)
    draft.builder.close()
    new.setVersion(version)
    new.setMaker(draft.maker())
    draft.isNoticed = true
    draft.note(.insertedAgain, deletionOf: coordinator.id(row.key, of: entity), of: entity)
    return new
  }

  /// Inserts an object that another context was to insert, but has not: as it was made here.
  func insertAgain(
    _ update: RowUpdate, of entity: EntityLayout, into resolved: inout Resolved
  ) -> Bool {
    let root = entity.rootNumber
    guard coordinator.keys.isUncommitted(update.row.key, root: root),
      let own = update.alone ?? claimed(update, of: entity)
    else { return false }
    let row = draft.copy(own, key: update.row.key, of: entity)
    row.setVersion(1)
    row.setMaker(draft.maker())
    resolved.inserted.append(row)
    (resolved.isAdapted, draft.isNoticed) = (true, true)
    return true
  }

  /// What an update makes of an object that was asked for by its values; nil where it was not.
  private func claimed(
    _ update: RowUpdate, of entity: EntityLayout
  ) -> RowPointer? {
    let root = entity.rootNumber
    guard coordinator.claims.isShared(update.row.key, root: root),
      let origin = coordinator.claims.origin(of: update.row.key, root: root), origin.claimed != nil
    else { return nil }
    let row = origin.withRow {
      draft.builder.merge(update.changed, from: update.row, onto: $0, entity)
    }
    draft.builder.close()
    return row
  }
}
