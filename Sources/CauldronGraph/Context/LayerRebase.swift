package import CauldronLedger
import CauldronModel
import CauldronStore

/// Has a context's unsaved changes count as made from newer rows, those that children have saved into it among
/// them.
struct LayerRebase {
  let core: ContextCore
  /// The objects that are meant.
  let meant: Set<ManagedObjectID>

  init(_ core: ContextCore, of meant: Set<ManagedObjectID>) {
    self.core = core
    self.meant = meant
  }

  private var coordinator: PersistentStoreCoordinator { core.coordinator }
  private var node: LedgerNode { core.node }
  private var event: EventState { core.event }

  /// Puts the context's unsaved changes on top of the rows that are below them: they count as made from these, so
  /// that saving them is no conflict. If a child's save fails, its changes go back as they were.
  ///
  /// A change to what was deleted below stays as it is, and in conflict.
  /// - Complexity: O(unsaved changes); nothing where there are none.
  func rebaseUnsaved() {
    // Layers that are made anew meanwhile are not replaced.
    core.keys.settleRefreshes()
    let layers = coordinator.ledger.layers(of: node)
    if layers.isEmpty { return }
    event.hold()
    defer { event.release() }
    readAhead(layers)
    // What the save will meet, be it seen from here or not.
    var below = coordinator.ledger.receiver(of: node)
    var replacements: [ObjectIdentifier: Layer] = [:]
    for layer in layers {
      let rebased = rebase(layer, onto: below)
      if rebased !== layer {
        replacements[ObjectIdentifier(layer)] =
          layer.ticket == nil ? rebased : rebased.decided(about: layer)
      }
      below.append(rebased)
    }
    guard !replacements.isEmpty else { return }
    coordinator.ledger.replace(replacements, in: node)
  }

  /// Reads the rows that changes will be based on, many with one statement.
  private func readAhead(_ layers: [Layer]) {
    var keys: [Int32: [Int64]] = [:]
    for set in layers.lazy.flatMap(\.changes.entities) where !set.entity.isJoin {
      keys[set.entity.rootNumber, default: []] += set.changedKeys.filter {
        isMeant($0, of: set.entity)
      }
    }
    coordinator.readAhead(keys)
  }

  /// The work that bases the context's unsaved changes to an object on its present row.
  enum Need {
    case nothing
    /// Its only change, which is the context's own, is to be put on this row.
    case row(HeldRow)
    /// Several changes are to be put on top of one another.
    case all
  }

  /// - Complexity: O(log layers), mostly; one statement where the row is in no cache.
  func need(of id: ManagedObjectID) -> Need {
    guard let entity = coordinator.layout(id) else { return .nothing }
    let layers = coordinator.ledger.layers(touching: id, in: node)
    var below = coordinator.ledger.receiver(of: node)
    for layer in layers {
      let change = layer.changes.change(id)
      if let base = base(of: change),
        let row = newBase(of: id, from: base, entity: entity, in: below)
          ?? newBase(base, of: change, entity)
      {
        return layers.count == 1 && layer.isUnsaved(of: node) ? .row(row) : .all
      }
      below.append(layer)
    }
    return .nothing
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
    var bases: [Int64: HeldRow] = [:]
    set.forEachChange { key, before, _ in
      guard let before, isMeant(key, of: set.entity) else { return }
      bases[key] =
        newBase(
          of: coordinator.id(key, of: set.entity), from: before, entity: set.entity, in: below)
        ?? newBase(before, of: set.change(key), set.entity)
    }
    return bases.isEmpty ? set : set.rebased(onto: bases, &core.drafts.builder)
  }

  /// Whether an object is meant.
  private func isMeant(_ key: Int64, of entity: EntityLayout) -> Bool {
    meant.contains(coordinator.id(key, of: entity))
  }

  /// What a change to an object has to be based on; nil where it is already, or where there is no row any
  /// more.
  private func newBase(
    of id: ManagedObjectID, from old: RowPointer, entity: EntityLayout, in below: LayerChain
  ) -> HeldRow? {
    do {
      let stored = below.inserts(id) ? nil : try coordinator.storedRow(id, of: entity)
      let row = withExtendedLifetime(stored) {
        below.compose(stored?.row, of: id, entity: entity, builder: &core.drafts.builder)?.held
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

  /// The row that a change was made from as its new base, if the change sets ends of links to the values
  /// they have there: these are no edits any more. Nil if all of them still are.
  private func newBase(
    _ row: RowPointer, of change: RowChange?, _ entity: EntityLayout
  ) -> HeldRow? {
    guard case .updated(let update)? = change else { return nil }
    let isEdited = update.changed.subtracting(update.row.difference(from: row, entity)).isEmpty
    return isEdited ? nil : row.held
  }
}

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
