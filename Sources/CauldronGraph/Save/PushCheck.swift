import CauldronModel

/// Compares layers with what has come in above them since their objects were read.
///
/// It works on values alone and is run outside the ledger's lock.
struct PushCheck {
  /// What the receiving context sees; accepted layers are added as they pass.
  var chain: LayerChain
  let coordinator: PersistentStoreCoordinator
  let policy: MergePolicy
  private var builder = RowBuilder()

  init(_ chain: LayerChain, _ coordinator: PersistentStoreCoordinator, _ policy: MergePolicy) {
    self.chain = chain
    self.coordinator = coordinator
    self.policy = policy
  }

  /// The layer as it can be accepted, its changes adapted where a policy decided.
  mutating func check(_ layer: Layer) throws(CauldronError) -> Layer {
    var sets: [EntityChanges] = []
    var isSame = true
    for set in layer.changes.entities {
      let checked = try check(set)
      isSame = isSame && checked === set
      sets.append(checked)
    }
    try checkReferences(layer)
    let accepted =
      isSame
      ? layer
      : layer.with(changes: ChangeSet(id: coordinator.ledger.changeSetID(), entities: sets))
    chain.layers.append(accepted)
    return accepted
  }

  private mutating func check(_ set: EntityChanges) throws(CauldronError) -> EntityChanges {
    var updated: [RowUpdate] = []
    var deleted: [RowDeletion] = []
    var isSame = true
    for update in set.updated {
      let result = try resolve(update, set.entity)
      isSame = isSame && result?.row == update.row
      if let result { updated.append(result) }
    }
    for deletion in set.deleted {
      let result = try resolve(deletion, set.entity)
      isSame = isSame && result?.base == deletion.base
      if let result { deleted.append(result) }
    }
    if isSame { return set }
    return EntityChanges(
      entity: set.entity, inserted: set.inserted, updated: updated, deleted: deleted,
      blocks: set.blocks + builder.blocks)
  }

  private mutating func resolve(
    _ update: RowUpdate, _ entity: EntityLayout
  ) throws(CauldronError) -> RowUpdate? {
    let other: RowPointer
    switch current(id(update.row.key, entity), entity) {
    case .unknown: return update
    case .row(let row):
      if row.version == update.base.version { return update }
      other = row
    case .deleted:
      if policy == .mergeByPropertyStoreTrump || policy == .rollback { return nil }
      throw .conflict(entity, id(update.row.key, entity), "it was deleted", [])
    case .missing:
      throw .dependency(entity, id(update.row.key, entity))
    }
    let theirs = other.difference(from: update.base, entity)
    let both = theirs.intersection(update.changed)
      .intersection(update.row.difference(from: other, entity))
    return try merge(update, other, both, entity)
  }

  private mutating func merge(
    _ update: RowUpdate, _ other: RowPointer, _ both: PropertySet, _ entity: EntityLayout
  ) throws(CauldronError) -> RowUpdate? {
    var changed = update.changed
    if !both.isEmpty {
      switch policy {
      case .error:
        let names = both.indices.map { entity.properties[$0].name }
        throw .conflict(
          entity, id(update.row.key, entity),
          "changed since it was read (version \(update.base.version), now \(other.version))", names)
      case .mergeByPropertyStoreTrump:
        changed = PropertySet(changed.indices.filter { !both.contains($0) })
      case .mergeByPropertyObjectTrump: break
      case .overwrite: changed = update.row.difference(from: other, entity)
      case .rollback: return nil
      }
    }
    let row = builder.merge(changed, from: update.row, onto: other, entity)
    row.setVersion(other.version + 1)
    return RowUpdate(row: row, base: other, changed: changed)
  }

  private func resolve(
    _ deletion: RowDeletion, _ entity: EntityLayout
  ) throws(CauldronError) -> RowDeletion? {
    switch current(id(deletion.key, entity), entity) {
    case .unknown: return deletion
    case .deleted: return nil
    case .missing: throw .dependency(entity, id(deletion.key, entity))
    case .row(let row):
      if row.version == deletion.base.version { return deletion }
      switch policy {
      case .error:
        throw .conflict(
          entity, id(deletion.key, entity),
          "it is to be deleted, but changed since it was read"
            + " (version \(deletion.base.version), now \(row.version))", [])
      case .mergeByPropertyStoreTrump, .rollback: return nil
      case .mergeByPropertyObjectTrump, .overwrite: return RowDeletion(base: row)
      }
    }
  }

  enum Current {
    case row(RowPointer)
    case deleted
    /// Not in the store, and not in the receiving context either.
    case missing
    /// Not known here; the store will be asked when it is written.
    case unknown
  }

  func current(_ id: ManagedObjectID, _ entity: EntityLayout) -> Current {
    switch chain.newest(id) {
    case .inserted(let row): return .row(row)
    case .updated(let update): return .row(update.row)
    case .deleted: return .deleted
    case nil: break
    }
    let root = entity.root.number
    if let row = coordinator.cache.row(id.key, root: root) { return .row(row.row) }
    return coordinator.keys.isUncommitted(id.key, root) ? .missing : .unknown
  }

  func id(_ key: Int64, _ entity: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(
      key: key, entityNumber: entity.number, storeNumber: coordinator.storeNumber)
  }
}
