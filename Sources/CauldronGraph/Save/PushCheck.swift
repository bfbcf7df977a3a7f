import CauldronModel
import CauldronStore

/// Compares layers with what has come in above them since their objects were read.
///
/// A conflict is about properties: one that was changed here is in conflict where the receiver's
/// value is not the one that the object showed at its first edit. That two rows are one and the same
/// is only a shortcut. It works on values alone and is run outside the ledger's lock.
struct PushCheck {
  /// What the receiving context sees; an accepted layer is added when the next one is checked.
  private(set) var chain: LayerChain
  private var lastAccepted: Layer?
  /// What comes after the layer that is being checked.
  private(set) var later = LaterLayers()
  /// The layers that make good what earlier ones have left, and must not be missing.
  var trusted: Set<ObjectIdentifier> = []
  /// One-to-one links that later layers of a save have to make whole, by save.
  private var promised: [ObjectIdentifier: [HalfPair]] = [:]
  let coordinator: PersistentStoreCoordinator
  /// The policy for layers whose save asked for no other.
  private let contextPolicy: MergePolicy
  /// The policy for the layer that is being checked.
  private(set) var policy: MergePolicy
  /// The unique keys by which the layer's new objects become existing ones, whatever key they were
  /// asked for by; nil for all.
  private(set) var joinable: [Int32: Set<Int>]?
  /// Whether the store may be asked, which it must not with the ledger locked.
  let mayRead: Bool
  /// Whether the receiver is the store, and no context.
  let isCommit: Bool
  private(set) var doubts: MakerDoubts
  /// Made where a row has to be merged, which is seldom.
  lazy var builder = RowBuilder()
  /// Keeps the rows that layers are compared with, which the cache may drop at any moment, and an
  /// accepted layer may be based on.
  private var held = RowMemory()
  /// The store's rows of what is in doubt, by root entity; nil where there is none.
  private var stored: [Int32: [Int64: HeldRow?]] = [:]
  /// What the policy has decided about the layer that is being checked, or was last.
  var resolutions: [SaveResolution] = []
  /// What it has not decided.
  var conflicts: [CauldronError] = []
  /// Whether objects that have the layer's values must look at what became of them.
  var isNoticed = false
  /// The objects of which the policy has dropped all that the layer has changed.
  var droppedObjects: Set<ManagedObjectID> = []
  /// New objects of accepted layers that turned out to be others, by their unique values.
  private(set) var exchanges: [ProvisionalKeys.Exchange] = []
  /// The same, by the keys that they had.
  private var exchangedKeys = FinalKeys()
  /// Those of the layer that is being checked.
  var ownExchanges: [ProvisionalKeys.Exchange] = []
  /// One-to-one links of the layer about which the check of other rows has decided.
  var decidedLinks = DecidedLinks()
  /// Rows of the store that have unique values which were refused there.
  let storedTwins: StoredTwins
  /// The number of the set that is being made of the layer; 0 for none yet.
  private var adaptedID: UInt64 = 0

  /// - Parameters:
  ///   - mayRead: Whether the store may be asked; false with the ledger locked.
  ///   - isCommit: Whether the receiver is the store.
  init(
    _ chain: LayerChain, _ coordinator: PersistentStoreCoordinator, _ policy: MergePolicy,
    mayRead: Bool = true, isCommit: Bool = false, twins: [HeldRow] = []
  ) {
    self.isCommit = isCommit
    storedTwins = StoredTwins(twins, coordinator)
    self.chain = chain
    self.coordinator = coordinator
    self.mayRead = mayRead
    contextPolicy = policy
    self.policy = policy
    doubts = mayRead ? coordinator.ledger.doubts : coordinator.ledger.uncheckedDoubts
  }

  /// The layer as it can be accepted, its changes adapted where other saves were quicker.
  /// - Parameters:
  ///   - later: The layers that go the same way after it, oldest first.
  ///   - readsReferences: Whether the store is asked for the targets of the layer's references, and
  ///     for references to the objects that it deletes.
  mutating func check(
    _ given: Layer, before later: LaterLayers, readsReferences: Bool = false
  ) throws(CauldronError) -> Layer {
    (self.later, droppedObjects) = (later, [])
    defer { self.later = LaterLayers() }
    if let lastAccepted { chain.append(lastAccepted) }
    lastAccepted = nil
    let layer = exchanged(given)
    policy = layer.mergePolicy(or: contextPolicy)
    joinable = layer.ticket?.joinable
    (resolutions, conflicts, adaptedID, isNoticed) = ([], [], 0, false)
    decidedLinks = DecidedLinks()
    var sets: [EntityChanges] = []
    var isSame = true
    for set in layer.changes.entities {
      let checked =
        set.entity.isJoin ? linked(set, layer) : meetsNothing(set) ? set : try check(set)
      isSame = isSame && checked === set
      sets.append(checked)
    }
    ownExchanges = []
    if let unique = withUniqueValues(sets) {
      sets = unique.map { $0.entity.isJoin ? linked($0.withoutRepeatedLinks, layer) : $0 }
      isSame = false
    }
    if let error = CauldronError.joined(conflicts) { throw error }
    if addUnlinked(&sets) { isSame = false }
    // What comes next may have been built on the layer as it was.
    if !isSame { doubt(layer) }
    let adapted = isSame ? layer : adapted(layer, withWholeLinks(settled(sets, layer), layer))
    let accepted = try withLivingReferences(adapted, reads: readsReferences && mayRead)
    try refuseHalfPairs(of: accepted)
    lastAccepted = accepted
    exchanges += ownExchanges
    for exchange in ownExchanges { exchangedKeys.add(exchange) }
    return accepted
  }

  /// Refuses a layer that would change one end of a one-to-one link alone.
  private mutating func refuseHalfPairs(of layer: Layer) throws(CauldronError) {
    let waiting = promised.removeValue(forKey: layer.unit) ?? []
    let hasEnds = layer.changes.entities.contains { !$0.entity.digest.oneToOnes.isEmpty }
    guard hasEnds || !waiting.isEmpty, coordinator.checksPairs else { return }
    var check = PairCheck(layer, on: chain, before: later, coordinator, mayRead: mayRead)
    try check.run(promised: waiting)
    if let error = CauldronError.half(check.halves) { throw error }
    if !check.promised.isEmpty { promised[layer.unit] = check.promised }
  }

  /// The layer as it names those objects of earlier ones that turned out to be others.
  private func exchanged(_ layer: Layer) -> Layer {
    if exchangedKeys.isEmpty { return layer }
    var exchanger = KeyExchanger(exchangedKeys)
    return exchanger.exchanged(layer)
  }

  /// A layer was refused, or made anew, that others may have built on.
  mutating func doubt(_ layer: Layer) { doubts.insert(layer.changes.makers) }

  /// The layer with other changes.
  func adapted(_ layer: Layer, _ sets: [EntityChanges]) -> Layer {
    let id = adaptedID > 0 ? adaptedID : coordinator.ledger.changeSetID()
    return layer.with(changes: ChangeSet(id: id, entities: sets, from: [layer.changes]))
  }

  /// The maker of rows that are made anew for this layer.
  mutating func maker() -> UInt64 {
    if adaptedID == 0 { adaptedID = coordinator.ledger.changeSetID() }
    return adaptedID
  }

  private mutating func check(_ set: EntityChanges) throws(CauldronError) -> EntityChanges {
    try readDoubtful(set)
    var resolved = Resolved(inserted: [])
    insert(set.inserted, set.entity, &resolved)
    for update in set.updated { try resolve(update, set.entity, &resolved) }
    for deletion in set.deleted { try resolve(deletion, set.entity, &resolved) }
    guard resolved.isAdapted else { return set }
    return EntityChanges(
      entity: set.entity, inserted: resolved.inserted, updated: resolved.updated,
      deleted: resolved.deleted)
  }

  /// Whether all known states of the changed and deleted rows are the bases of their changes.
  /// - Complexity: O(rows), and cheap: mostly that is so, and no row has to be looked at closely.
  private func meetsNothing(_ set: EntityChanges) -> Bool {
    if mayBeShared(set) || set.hasRestored || !later.dropped.isEmpty { return false }
    if set.updated.isEmpty, set.deleted.isEmpty { return true }
    guard !chain.touches([set.entity.number]),
      let unknown = coordinator.cache.unknownKeys(of: set, doubts)
    else { return false }
    return !coordinator.keys.isAnyUncommitted(unknown, set.entity.rootNumber)
  }

  /// Reads the rows of which neither layers nor the cache know, and whose bases may be rows that
  /// were never written; all at once.
  /// - Throws: Why they cannot be read: without them nobody knows whether there is a conflict.
  private mutating func readDoubtful(_ set: EntityChanges) throws(CauldronError) {
    guard mayRead else { return }
    let root = set.entity.rootNumber
    let bases = set.updated.lazy.map(\.base) + set.deleted.lazy.map(\.base)
    let keys = bases.filter { [self] base in
      !doubts.trust(base) && chain.newest(id(base.key, set.entity)) == nil
        && coordinator.cache.comparable(base.key, root: root, with: base, doubts) == nil
        && !coordinator.keys.isUncommitted(base.key, root)
    }.map(\.key)
    guard !keys.isEmpty else { return }
    let rows: [HeldRow]
    do {
      rows = try coordinator.storedRows(keys, set.entity)
    } catch {
      throw CauldronError.wrap(error)
    }
    for key in keys { stored[root, default: [:]][key] = .some(nil) }
    for row in rows { stored[root, default: [:]][row.row.key] = row }
  }

  enum Current {
    case row(RowPointer)
    case deleted
    /// Not in the store, and not in the receiving context either.
    case missing
    /// Not known here; the store will be asked when it is written.
    case unknown
  }

  /// What the receiver has of an object.
  /// - Parameter base: What the change was made from.
  mutating func current(
    _ id: ManagedObjectID, _ entity: EntityLayout, _ base: RowPointer
  ) -> Current {
    if let pending = pending(id, entity, base) { return pending }
    let root = entity.rootNumber
    if let entry = coordinator.cache.comparable(id.key, root: root, with: base, doubts) {
      guard let row = entry else { return .deleted }
      // The change was made from a newer row than the cache has.
      let isOld = doubts.trust(base) && doubts.trust(row.row) && row.row.version < base.version
      return isOld ? .unknown : .row(keep(row))
    }
    if coordinator.keys.isUncommitted(id.key, root) { return .missing }
    guard let known = stored[root]?[id.key] else { return .unknown }
    return known.map { .row(keep($0)) } ?? .deleted
  }

  /// The receiver's row of an object, read if need be; nil where it has none.
  mutating func receiver(_ id: ManagedObjectID, _ entity: EntityLayout) -> RowPointer? {
    switch current(id, entity, entity.zero.row) {
    case .row(let row): return row
    case .deleted, .missing: return nil
    case .unknown:
      guard mayRead else { return nil }
      return (try? coordinator.storedRows([id.key], entity))?.first.map { keep($0) }
    }
  }

  /// The object as the layers above leave it, all of them together: the newest row alone lacks what
  /// a lower context has changed since it was made. Nil where no layer touches it.
  /// - Parameter base: What the change was made from, if that is at hand: where the committed row is to be
  ///   read anew, and this is of a later version, it tells most of what no layer has changed.
  mutating func pending(
    _ id: ManagedObjectID, _ entity: EntityLayout, _ base: RowPointer? = nil
  ) -> Current? {
    var row: HeldRow?
    var isTouched = false
    chain.forEachChange(id) { change in
      switch change {
      case .inserted(let new): row = new.held
      case .deleted: row = nil
      case .updated(let update):
        if !isTouched {
          row = below(id, entity, update, base)
        }
        row = update.composed(onto: row?.row, entity, &builder)?.held
      }
      isTouched = true
    }
    guard isTouched else { return nil }
    return row.map { .row(keep($0)) } ?? .deleted
  }

  /// The row that the lowest layer's change is laid on, as far as it is known without reading.
  private func below(
    _ id: ManagedObjectID, _ entity: EntityLayout, _ update: RowUpdate, _ base: RowPointer?
  ) -> HeldRow? {
    let root = entity.rootNumber
    let entry = coordinator.cache.known(id.key, root: root)
    if let entry, coordinator.cache.entry(id.key, root: root) != nil { return entry }
    // Of a row that nobody has in mind the change itself tells most.
    guard let known = entry ?? update.row.held else { return nil }
    let version = entry == nil ? update.base.version : known.row.version
    guard let base, base.key == id.key, base.version > version else { return known }
    return base.held
  }

  /// Keeps a row for as long as the check takes.
  mutating func keep(_ row: HeldRow) -> RowPointer {
    held.keep(row.row)
    return row.row
  }

  func id(_ key: Int64, _ entity: EntityLayout) -> ManagedObjectID {
    coordinator.id(key, entity)
  }
}
