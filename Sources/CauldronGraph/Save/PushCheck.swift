import CauldronModel

/// Compares layers with what has come in above them since their objects were read.
///
/// It works on values alone and is run outside the ledger's lock.
struct PushCheck {
  /// What the receiving context sees; an accepted layer is added when the next one is checked.
  private(set) var chain: LayerChain
  private var lastAccepted: Layer?
  let coordinator: PersistentStoreCoordinator
  /// What decides about layers whose save asked for no other policy.
  private let contextPolicy: MergePolicy
  /// What decides about the layer that is being checked.
  private(set) var policy: MergePolicy
  /// Whether the layers are compared with the store, where every newer version is a conflict, also
  /// if other properties changed there.
  let isStore: Bool
  /// Whether a layer that met nothing when it was handed on need not be looked at again.
  var mayPass = false
  private let versionsAreTrusted: Bool
  /// Whether rows of one version are one and the same: nothing that a layer may rest on was ever
  /// taken away, nor refused or changed in this check.
  private var numbersTell: Bool
  /// Made where a row has to be merged, which is seldom.
  lazy var builder = RowBuilder()
  /// Keeps the rows that layers are compared with, which the cache may drop at any moment, and an
  /// accepted layer may be based on.
  private var held: [RowBlock] = []

  /// - Parameter mayRead: Whether the store may be asked, which it must not with the ledger locked.
  init(
    _ chain: LayerChain, _ coordinator: PersistentStoreCoordinator, _ policy: MergePolicy,
    isStore: Bool = false, mayRead: Bool = true
  ) {
    self.isStore = isStore
    numbersTell = mayRead && coordinator.ledger.numbersTell
    versionsAreTrusted = !mayRead || coordinator.ledger.versionsAreTrusted
    self.chain = chain
    self.coordinator = coordinator
    contextPolicy = policy
    self.policy = policy
  }

  /// The moment that the layers are compared at; nil where a comparison does not hold for later.
  var mark: CommitMark? { versionsAreTrusted && !chain.overlapsCommit ? chain.mark : nil }

  /// The layer as it can be accepted, its changes adapted where a policy decided.
  mutating func check(_ layer: Layer) throws(CauldronError) -> Layer {
    if let lastAccepted { chain.append(lastAccepted) }
    lastAccepted = nil
    policy = layer.mergePolicy(or: contextPolicy)
    var sets: [EntityChanges] = []
    var isSame = true
    let passes = mayPass && coordinator.ledger.isStillClear(layer)
    let numbersTell = self.numbersTell
    self.numbersTell = false
    for set in layer.changes.entities {
      let isClear = passes || numbersTell && meetsNothing(set)
      let checked = isClear ? set : try check(set)
      isSame = isSame && checked === set
      sets.append(checked)
    }
    try checkReferences(layer)
    self.numbersTell = numbersTell && isSame
    let accepted =
      isSame
      ? layer
      : layer.with(changes: ChangeSet(id: coordinator.ledger.changeSetID(), entities: sets))
    lastAccepted = accepted
    return accepted
  }

  private mutating func check(_ set: EntityChanges) throws(CauldronError) -> EntityChanges {
    var resolved = Resolved(inserted: set.inserted)
    for update in set.updated { try resolve(update, set.entity, &resolved) }
    for deletion in set.deleted { try resolve(deletion, set.entity, &resolved) }
    guard resolved.isAdapted else { return set }
    return EntityChanges(
      entity: set.entity, inserted: resolved.inserted, updated: resolved.updated,
      deleted: resolved.deleted, blocks: set.blocks + builder.blocks + held)
  }

  /// Whether all that is known of the rows that are changed or deleted is what they were made from.
  /// - Complexity: O(rows), and cheap: mostly that is so, and no row has to be looked at closely.
  private func meetsNothing(_ set: EntityChanges) -> Bool {
    if set.updated.isEmpty, set.deleted.isEmpty { return true }
    guard !chain.touches([set.entity.number]),
      let unknown = coordinator.cache.unknownKeys(of: set)
    else { return false }
    return !coordinator.keys.isAnyUncommitted(unknown, set.entity.rootNumber)
  }

  enum Current {
    case row(RowPointer)
    case deleted
    /// Not in the store, and not in the receiving context either.
    case missing
    /// Not known here; the store will be asked when it is written.
    case unknown
  }

  mutating func current(_ id: ManagedObjectID, _ entity: EntityLayout) -> Current {
    if let pending = pending(id, entity) { return pending }
    let root = entity.root.number
    if let row = coordinator.cache.entry(id.key, root: root) {
      return row.map { .row(keep($0)) } ?? .deleted
    }
    if coordinator.keys.isUncommitted(id.key, root) { return .missing }
    // Once changes were taken back, a base may be a row that nobody has any more.
    return versionsAreTrusted ? .unknown : stored(id, entity)
  }

  /// What the store has; asked only where a version number alone does not tell.
  private mutating func stored(_ id: ManagedObjectID, _ entity: EntityLayout) -> Current {
    do {
      return try coordinator.storedRow(id, entity).map { .row(keep($0)) } ?? .deleted
    } catch {
      // The save itself will meet the same error, and report it.
      return .unknown
    }
  }

  /// The object as the layers above leave it, all of them together: the newest row alone lacks what
  /// a lower context has changed since it was made. Nil where no layer touches it.
  private mutating func pending(_ id: ManagedObjectID, _ entity: EntityLayout) -> Current? {
    var row: HeldRow?
    var isTouched = false
    chain.forEachChange(id) { change in
      switch change {
      case .inserted(let new): row = new.held
      case .deleted: row = nil
      case .updated(let update):
        if !isTouched { row = coordinator.cache.row(id.key, root: entity.root.number) }
        if let below = row {
          row = update.applied(to: below.row, entity, &builder).held
        } else if !isTouched {
          row = update.row.held
        }
      }
      isTouched = true
    }
    guard isTouched else { return nil }
    return row.map { .row(keep($0)) } ?? .deleted
  }

  private mutating func keep(_ row: HeldRow) -> RowPointer {
    if held.last !== row.block { held.append(row.block) }
    return row.row
  }

  func id(_ key: Int64, _ entity: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(
      key: key, entityNumber: entity.number, storeNumber: coordinator.storeNumber)
  }
}
