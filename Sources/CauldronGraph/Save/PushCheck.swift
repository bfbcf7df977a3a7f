import CauldronModel

/// Compares layers with what has come in above them since their objects were read.
///
/// It works on values alone and is run outside the ledger's lock.
struct PushCheck {
  /// What the receiving context sees; accepted layers are added as they pass.
  var chain: LayerChain
  let coordinator: PersistentStoreCoordinator
  let policy: MergePolicy
  /// Whether the layers are compared with the store, where every newer version is a conflict, also
  /// if other properties changed there.
  let isStore: Bool
  private let versionsAreTrusted: Bool
  var builder = RowBuilder()

  init(
    _ chain: LayerChain, _ coordinator: PersistentStoreCoordinator, _ policy: MergePolicy,
    isStore: Bool = false
  ) {
    self.isStore = isStore
    versionsAreTrusted = !isStore || coordinator.ledger.versionsAreTrusted
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
    var resolved = Resolved(inserted: set.inserted)
    for update in set.updated { try resolve(update, set.entity, &resolved) }
    for deletion in set.deleted { try resolve(deletion, set.entity, &resolved) }
    guard resolved.isAdapted else { return set }
    return EntityChanges(
      entity: set.entity, inserted: resolved.inserted, updated: resolved.updated,
      deleted: resolved.deleted, blocks: set.blocks + builder.blocks)
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
    if let row = coordinator.cache.entry(id.key, root: root) {
      return row.map { .row($0.row) } ?? .deleted
    }
    if coordinator.keys.isUncommitted(id.key, root) { return .missing }
    return isStore && !versionsAreTrusted ? stored(id, entity) : .unknown
  }

  /// What the store has; asked only where a version number alone does not tell.
  private func stored(_ id: ManagedObjectID, _ entity: EntityLayout) -> Current {
    do {
      return try coordinator.storedRow(id, entity).map { .row($0.row) } ?? .deleted
    } catch {
      // The save itself will meet the same error, and report it.
      return .unknown
    }
  }

  func id(_ key: Int64, _ entity: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(
      key: key, entityNumber: entity.number, storeNumber: coordinator.storeNumber)
  }
}
