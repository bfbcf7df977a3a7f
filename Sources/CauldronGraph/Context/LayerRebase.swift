import CauldronLedger
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
          ?? base.asNewBase(of: change, entity)
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
        ?? before.asNewBase(of: set.change(key), set.entity)
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
}

extension RowPointer {
  /// This row as the new base of a change that was made from it, if the change sets ends of links
  /// to the values they have here: these are no edits any more. Nil if all of them still are.
  fileprivate func asNewBase(of change: RowChange?, _ entity: EntityLayout) -> HeldRow? {
    guard case .updated(let update)? = change else { return nil }
    let isEdited = update.changed.subtracting(update.row.difference(from: self, entity)).isEmpty
    return isEdited ? nil : held
  }
}
