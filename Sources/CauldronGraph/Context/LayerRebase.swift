import CauldronModel
import CauldronStore

/// Has a context's own unsaved changes count as made from newer rows.
struct LayerRebase {
  let core: ContextCore
  /// What others have made of the rows.
  let merged: [ChangeSet]

  init(_ core: ContextCore, onto merged: [ChangeSet]) {
    self.core = core
    self.merged = merged
  }

  private var coordinator: PersistentStoreCoordinator { core.coordinator }
  private var node: LedgerNode { core.node }
  private var event: EventState { core.event }

  /// Puts the context's own unsaved changes on top of what others have made of the rows: they count
  /// as made from these, so that saving them is no conflict.
  ///
  /// A change to what others have deleted stays as it is, and in conflict.
  /// - Complexity: O(own unsaved changes); nothing where there are none.
  func rebaseUnsaved() {
    let layers = coordinator.ledger.layers(of: node)
    guard layers.contains(where: { $0.isUnsaved(of: node) }) else { return }
    event.hold()
    defer { event.release() }
    // What the save will meet, be it seen from here or not.
    var below = coordinator.ledger.receiver(of: node)
    var replacements: [ObjectIdentifier: Layer] = [:]
    for layer in layers {
      let isOwn = layer.isUnsaved(of: node)
      let rebased = isOwn ? rebase(layer, onto: below) : layer
      if rebased !== layer { replacements[ObjectIdentifier(layer)] = rebased }
      below.append(rebased)
    }
    guard !replacements.isEmpty else { return }
    coordinator.ledger.replace(replacements, in: node)
  }

  /// Whether one of the context's own unsaved changes to an object is made from another row than there is
  /// now, so that it is to be put on top of that.
  /// - Complexity: O(layers); one statement where the row is in no cache.
  func isDue(_ id: ManagedObjectID) -> Bool {
    guard let entity = coordinator.layout(id) else { return false }
    var below = coordinator.ledger.receiver(of: node)
    for layer in coordinator.ledger.layers(of: node) {
      if layer.isUnsaved(of: node), let base = base(of: layer.changes.change(id)),
        newBase(id, base, entity, in: below) != nil
      {
        return true
      }
      below.append(layer)
    }
    return false
  }

  /// The row that a change was made from; nil for an insertion.
  private func base(of change: RowChange?) -> RowPointer? {
    switch change {
    case .updated(let update): update.base
    case .deleted(let deletion): deletion.base
    case .inserted, nil: nil
    }
  }

  private func rebase(_ layer: Layer, onto below: LayerChain) -> Layer {
    let sets = layer.changes.entities.map { rebase($0, onto: below) }
    if zip(sets, layer.changes.entities).allSatisfy({ $0 === $1 }) { return layer }
    return layer.with(
      changes: ChangeSet(
        id: coordinator.ledger.changeSetID(), entities: sets, from: [layer.changes]))
  }

  private func rebase(_ set: EntityChanges, onto below: LayerChain) -> EntityChanges {
    var updated: [RowUpdate] = []
    var deleted: [RowDeletion] = []
    var held = RowMemory()
    var isSame = true
    for update in set.updated {
      guard let base = newBase(update.row.key, update.base, set.entity, in: below) else {
        updated.append(update)
        continue
      }
      isSame = false
      let changed = update.changed.subtracting(update.lapsed(on: base.row))
      if changed.isEmpty { continue }
      let row = core.drafts.builder.merge(changed, from: update.row, onto: base.row, set.entity)
      row.setVersion(base.row.nextVersion)
      held.keep(base.row)
      held.keep(row)
      updated.append(
        RowUpdate(
          row: row, base: base.row, changed: changed,
          nullified: update.nullified.intersection(changed), alone: update.alone,
          isRestored: update.isRestored))
    }
    for deletion in set.deleted {
      guard let base = newBase(deletion.key, deletion.base, set.entity, in: below) else {
        deleted.append(deletion)
        continue
      }
      isSame = false
      held.keep(base.row)
      deleted.append(RowDeletion(base: base.row))
    }
    if isSame { return set }
    return withExtendedLifetime(held) {
      EntityChanges(
        entity: set.entity, inserted: set.inserted, updated: updated, deleted: deleted)
    }
  }

  /// What a change to a merged object has to be based on; nil where it is already, or where there
  /// is no row any more.
  private func newBase(
    _ key: Int64, _ old: RowPointer, _ entity: EntityLayout, in below: LayerChain
  ) -> HeldRow? {
    let id = coordinator.id(key, entity)
    guard merged.contains(where: { $0.change(id) != nil }) else { return nil }
    return newBase(id, old, entity, in: below)
  }

  private func newBase(
    _ id: ManagedObjectID, _ old: RowPointer, _ entity: EntityLayout, in below: LayerChain
  ) -> HeldRow? {
    do {
      let stored = below.inserts(id) ? nil : try coordinator.storedRow(id, entity)
      let row = withExtendedLifetime(stored) {
        below.compose(stored?.row, id, entity, &core.drafts.builder)?.held
      }
      core.drafts.builder.close()
      return row.flatMap { row in
        // Read anew it may be another copy.
        let isSame = row.row.version == old.version && row.row.difference(from: old, entity).isEmpty
        return isSame ? nil : row
      }
    } catch {
      // The save will meet the same error, or the conflict.
      return nil
    }
  }
}
