import CauldronModel
import CauldronStore

/// What the receiver of a push has: a context with the contexts above it, or the store.
///
/// It knows layers, committed rows that are cached, and the rows that it had to read. It is used by one
/// check, outside the ledger's lock, or with it where the store must not be asked.
final class PushReceiver {
  /// The layers that are seen there, those of the same push that were accepted before among them.
  @exclusivity(unchecked) private(set) var chain: LayerChain
  /// Which makers' rows may never have been written.
  @exclusivity(unchecked) private(set) var doubts: MakerDoubts
  /// Rows of the store that have unique values which were refused there.
  let storedTwins: StoredTwins
  let coordinator: PersistentStoreCoordinator
  /// Whether the store may be asked, which it must not with the ledger locked.
  let mayRead: Bool
  /// Whether it is the store, and no context.
  let isStore: Bool
  /// Made where a row has to be composed, which is seldom.
  lazy var builder = RowBuilder()
  /// Keeps the rows that layers are compared with, which the cache may drop at any moment, and an
  /// accepted layer may be based on.
  @exclusivity(unchecked) private var held = RowMemory()
  /// The ends of one-to-one links that layers of the push have freed without an edit of theirs, with the keys
  /// that they led to.
  @exclusivity(unchecked) private var freed: [LinkPlace: Int64] = [:]
  /// The store's rows of what is in doubt, by root entity; nil where there is none.
  @exclusivity(unchecked) private var stored: [Int32: [Int64: HeldRow?]] = [:]

  init(
    _ chain: LayerChain, _ coordinator: PersistentStoreCoordinator, mayRead: Bool, isStore: Bool,
    twins: [HeldRow]
  ) {
    self.chain = chain
    self.coordinator = coordinator
    self.mayRead = mayRead
    self.isStore = isStore
    storedTwins = StoredTwins(twins, coordinator)
    doubts = mayRead ? coordinator.ledger.doubts : coordinator.ledger.uncheckedDoubts
  }

  /// Takes in a layer that was accepted.
  func add(_ layer: Layer) { chain.append(layer) }

  /// Notes ends of one-to-one links that an accepted layer has freed without an edit of theirs, with the key that
  /// each led to.
  func free(_ ends: [LinkPlace: Int64]) { freed.merge(ends) { $1 } }

  /// Those of the references of a row that were freed by layers of the same push. A later layer was made on top of
  /// these, and saw the ends lead where they led.
  func freed(
    among properties: PropertySet, in theirs: RowPointer, was: RowPointer, of entity: EntityLayout
  ) -> PropertySet {
    if freed.isEmpty { return PropertySet() }
    return PropertySet(
      properties.intersection(entity.digest.oneToOnes).indices.filter { index in
        let place = LinkPlace(root: entity.rootNumber, key: was.key, property: index)
        return theirs.isNull(index) && !was.isNull(index) && freed[place] == was.slot(index)
      })
  }

  /// A layer was refused, or made anew, that later ones may have built on.
  func doubt(_ layer: Layer) { doubts.insert(layer.changes.makers) }

  /// Keeps a row for as long as the check takes.
  func keep(_ row: HeldRow) -> RowPointer {
    held.keep(row.row)
    return row.row
  }

  // MARK: Sets of changes

  /// Whether all known states of changed and deleted rows are the bases of their changes.
  /// - Complexity: O(rows), and cheap: mostly that is so, and no row has to be looked at closely.
  func isAsBefore(_ set: EntityChanges) -> Bool {
    if set.updated.isEmpty, set.deleted.isEmpty { return true }
    guard !chain.touches([set.entity.number]),
      let unknown = coordinator.cache.unknownKeys(of: set, doubts)
    else { return false }
    return !coordinator.keys.isAnyUncommitted(unknown, root: set.entity.rootNumber)
  }

  /// Reads the rows of which neither layers nor the cache know, and whose bases may be rows that
  /// were never written; all at once.
  /// - Throws: Why they cannot be read: without them nobody knows whether there is a conflict.
  func readDoubtful(_ set: EntityChanges) throws(CauldronError) {
    guard mayRead else { return }
    let root = set.entity.rootNumber
    let bases = set.updated.lazy.map(\.base) + set.deleted.lazy.map(\.base)
    let keys = bases.filter { [self] base in
      !doubts.trust(base) && chain.newest(coordinator.id(base.key, of: set.entity)) == nil
        && coordinator.cache.comparable(base.key, root: root, with: base, doubts: doubts) == nil
        && !coordinator.keys.isUncommitted(base.key, root: root)
    }.map(\.key)
    guard !keys.isEmpty else { return }
    let rows: [HeldRow]
    do {
      rows = try coordinator.storedRows(keys, of: set.entity)
    } catch {
      throw CauldronError.wrap(error)
    }
    for key in keys { stored[root, default: [:]][key] = .some(nil) }
    for row in rows { stored[root, default: [:]][row.row.key] = row }
  }

  // MARK: Single objects

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
  func current(_ id: ManagedObjectID, of entity: EntityLayout, base: RowPointer) -> Current {
    if let pending = pending(id, of: entity, base: base) { return pending }
    let root = entity.rootNumber
    if let entry = coordinator.cache.comparable(id.key, root: root, with: base, doubts: doubts) {
      guard let row = entry else { return .deleted }
      // The change was made from a newer row than the cache has.
      let isOld = doubts.trust(base) && doubts.trust(row.row) && row.row.version < base.version
      return isOld ? .unknown : .row(keep(row))
    }
    if coordinator.keys.isUncommitted(id.key, root: root) { return .missing }
    guard let known = stored[root]?[id.key] else { return .unknown }
    return known.map { .row(keep($0)) } ?? .deleted
  }

  /// The row of an object, read if need be; nil where there is none.
  func row(_ id: ManagedObjectID, of entity: EntityLayout) -> RowPointer? {
    switch current(id, of: entity, base: entity.zero.row) {
    case .row(let row): return row
    case .deleted, .missing: return nil
    case .unknown:
      guard mayRead else { return nil }
      return (try? coordinator.storedRows([id.key], of: entity))?.first.map { keep($0) }
    }
  }

  /// The row at the other end of a one-to-one link; nil where there is none.
  func partner(of key: Int64, at end: LinkEnd) -> RowPointer? {
    for entity in end.partner.family.map(\.entity) {
      if let row = row(coordinator.id(key, of: entity), of: entity),
        row.entityNumber == entity.number
      {
        return row
      }
    }
    return nil
  }

  /// The object as the layers above leave it, all of them together: the newest row alone lacks what
  /// a lower context has changed since it was made. Nil where no layer touches it.
  /// - Parameter base: What the change was made from, if that is at hand: where the committed row is to be
  ///   read anew, and this is of a later version, it tells most of what no layer has changed.
  func pending(
    _ id: ManagedObjectID, of entity: EntityLayout, base: RowPointer? = nil
  ) -> Current? {
    var row: HeldRow?
    var isTouched = false
    chain.forEachChange(of: id) { change in
      switch change {
      case .inserted(let new): row = new.held
      case .deleted: row = nil
      case .updated(let update):
        if !isTouched {
          row = below(id, of: entity, update: update, base: base)
        }
        row = update.composed(onto: row?.row, of: entity, builder: &builder)?.held
      }
      isTouched = true
    }
    guard isTouched else { return nil }
    return row.map { .row(keep($0)) } ?? .deleted
  }

  /// The row that the lowest layer's change is laid on, as far as it is known without reading.
  private func below(
    _ id: ManagedObjectID, of entity: EntityLayout, update: RowUpdate, base: RowPointer?
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

  /// Whether a context that is not seen from here may have one of some objects.
  func isHeldSomewhere(_ ids: [ManagedObjectID]) -> Bool {
    coordinator.ledger.mayHold(ids, isLocked: !mayRead)
  }

  /// Whether nothing was ever saved of an object that the receiver has deleted, be it into a context: whether
  /// its creation and its deletion lie in one layer or in two.
  func neverSaved(_ id: ManagedObjectID, of entity: EntityLayout) -> Bool {
    coordinator.keys.isUncommitted(id.key, root: entity.rootNumber)
      && !chain.layers.contains { $0.ticket != nil && $0.changes.change(id)?.kind == .insertion }
  }

  /// Whether it is known that there is no object with a key any more.
  func isDeleted(_ key: Int64, of entity: EntityLayout) -> Bool {
    let newest = entity.family.lazy.compactMap { [self] in
      chain.newest(coordinator.id(key, of: $0.entity))
    }.first
    if let newest { return newest.kind == .deletion }
    if let known = coordinator.cache.known(key, root: entity.rootNumber) { return known == nil }
    // It was created, and deleted before anything was saved of it: no layer tells of that.
    return coordinator.keys.isUncommitted(key, root: entity.rootNumber)
      && !isHeldSomewhere(entity.family.map { coordinator.id(key, of: $0.entity) })
  }
}
