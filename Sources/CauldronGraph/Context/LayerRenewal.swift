package import CauldronLedger
import CauldronModel
import CauldronStore

/// Has a context's own edits speak for whole objects as these show now, for policies that write or restore
/// whole rows.
///
/// A layer keeps the row of the moment of its edit. What an object has taken in since, it shows, and the
/// layer's row does not.
package struct LayerRenewal {
  private let core: ContextCore
  /// What the objects show that have taken something in since their first unsaved edit, and which properties
  /// are not their own edits.
  private var shown: [ManagedObjectID: (row: HeldRow, others: PropertySet)] = [:]

  package init(_ core: ContextCore) { self.core = core }

  private var coordinator: PersistentStoreCoordinator { core.coordinator }

  /// Renews the rows of the context's own unsaved updates before a save by a policy.
  /// - Complexity: O(unsaved objects) under policies that need whole rows; else nothing.
  package mutating func run(for policy: MergePolicy) {
    guard policy == .overwrite || policy == .mergeByPropertyObjectTrump,
      !coordinator.has(.staleRows)
    else { return }
    core.keys.settleRefreshes()
    for object in core.pending.objects { note(object) }
    if shown.isEmpty { return }
    var replacements: [ObjectIdentifier: Layer] = [:]
    for layer in coordinator.ledger.unsavedLayers(of: core.node) {
      let sets = layer.changes.entities.map { renewed($0) }
      if zip(sets, layer.changes.entities).allSatisfy({ $0 === $1 }) { continue }
      replacements[ObjectIdentifier(layer)] = layer.with(
        changes: ChangeSet(
          id: coordinator.ledger.changeSetID(), entities: sets, from: [layer.changes]))
    }
    if !replacements.isEmpty { coordinator.ledger.replace(replacements, in: core.node) }
  }

  private mutating func note(_ object: ManagedObject) {
    guard object.isEdited, object.isAlive, !object.isNew, !object.isFault, !object.isUnread,
      let edits = object.extras?.edits, edits.isOvertaken, let committed = edits.committed
    else { return }
    let row = edits.trackedRow ?? RowPointer(object.row)
    let layout = object.layout
    let own = row.difference(from: committed.row, layout)
    let others = PropertySet(layout.digest.columns.map(\.index)).subtracting(own)
    shown[object.registeredID] = (row.held, others)
  }

  private func renewed(_ set: EntityChanges) -> EntityChanges {
    var isSame = true
    var held = RowMemory()
    let updated = set.updated.map { update in
      guard let (row, others) = shown[coordinator.id(update.row.key, of: set.entity)] else {
        return update
      }
      let stale = row.row.difference(from: update.row, set.entity)
        .intersection(others).subtracting(update.changed)
      if stale.isEmpty { return update }
      isSame = false
      let renewed = merged(stale, from: row.row, onto: update.row, of: set.entity)
      let base = merged(stale, from: row.row, onto: update.base, of: set.entity)
      held.keep(renewed)
      held.keep(base)
      return RowUpdate(
        row: renewed, base: base, changed: update.changed, first: update.first,
        nullified: update.nullified, alone: update.alone, isRestored: update.isRestored)
    }
    if isSame { return set }
    return withExtendedLifetime(held) {
      EntityChanges(
        entity: set.entity, inserted: set.inserted, updated: updated, deleted: set.deleted)
    }
  }

  private func merged(
    _ properties: PropertySet, from shown: RowPointer, onto row: RowPointer, of entity: EntityLayout
  ) -> RowPointer {
    let version = row.version
    let merged = core.drafts.builder.merge(properties, from: shown, onto: row, entity)
    core.drafts.builder.close()
    merged.setVersion(version)
    return merged
  }
}
