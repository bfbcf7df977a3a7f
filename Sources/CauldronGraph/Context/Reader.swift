import CCauldron
import CauldronLedger
package import CauldronModel
import Dispatch
import Logging

/// Reads the rows of a context's objects, and gives the object that stands for a row or an ID.
///
/// Nobody may get an object of another class than its row's entity has: a property would be read and
/// written where another one lies.
///
/// It publishes nothing of its own context: a call that has to see the running event's changes ends that
/// first. Hooks that a read gives rise to wait until the caller runs them.
@usableFromInline
package final class Reader {
  let place: Place
  let registry: Registry
  let keys: ObjectKeys
  let drafts: Drafts
  /// What is read together.
  @exclusivity(unchecked) var groups = FaultGroups()
  /// When rows were read anew, for a context that trusts the cache for a time only.
  @exclusivity(unchecked) var readings = Readings()

  init(keys: ObjectKeys) {
    place = keys.place
    registry = keys.registry
    drafts = keys.drafts
    self.keys = keys
  }

  var ancestors: Ancestors { Ancestors(place) }
  var whereabouts: Whereabouts { Whereabouts(keys: keys) }
  var hooks: Hooks {
    @inline(__always) get { Hooks(drafts: drafts) }
  }

  // MARK: Rows of single objects

  /// An object's row as the context sees it now, without edits that a refresh has dropped; nil where it is
  /// gone, or of another entity than the object, whose class would not fit.
  /// - Complexity: No statement where the row is cached or pending, else one.
  func row(of object: ManagedObject) throws -> HeldRow? {
    keys.fitting(try keys.withSettledKeys { try keys.row(of: object) }, of: object)
  }

  /// An object's row as of a chain, or a newer one where a commit came after the chain.
  func row(of object: ManagedObject, _ chain: LayerChain) throws -> HeldRow? {
    let row = try place.coordinator.row(
      object.registeredID, of: object.layout, over: chain, in: place.node, builder: &drafts.builder)
    // Where keys were exchanged after the chain was taken it is about others than the objects.
    if chain.instant.exchangeCount != keys.followedCount || keys.isBehind {
      return try self.row(of: object)
    }
    return keys.fitting(row, of: object)
  }

  /// An object's row without what the context itself has not handed on.
  package func row(below object: ManagedObject) throws -> HeldRow? {
    let row = try keys.withSettledKeys {
      let chain = place.coordinator.ledger.view(below: place.node)
      return try place.coordinator.row(
        object.registeredID, of: object.layout, over: chain, in: place.node, includesOwn: false,
        builder: &drafts.builder)
    }
    return keys.fitting(row, of: object)
  }

  // MARK: Objects by ID

  /// The registered object with an ID, or a fault for it; nothing is read, unless the ID is of an
  /// abstract entity.
  ///
  /// A fault believes the entity of the ID, where the row is not cached, until it is fired.
  package func object(with id: ManagedObjectID) -> ManagedObject? {
    guard let layout = place.coordinator.layout(id) else { return nil }
    keys.followExchanges()
    let id = keys.followed(id)
    guard let object = registry.object(id.key, root: layout.rootNumber) else {
      return makeFault(id.key, of: layout)
    }
    if object.entityNumber == id.entityNumber || layout.includes(object.entityNumber) {
      return object
    }
    return objectBeside(object, of: layout)
  }

  private func makeFault(_ key: Int64, of layout: EntityLayout) -> ManagedObject {
    var own = layout
    if layout.family.count > 1, let row = knownRow(key, of: layout), row.isKind(of: layout) {
      own = place.layouts[Int(row.row.entityNumber) - 1].entity
    }
    let object = registry.makeObject(of: own, key: key, row: own.zero.row, state: .fault)
    registry.insert(object, key: key, root: own.rootNumber)
    return object
  }

  /// The cached row of a fault to be. For an abstract entity it is read: what names one does not know
  /// which entity it is, and no object can be of it.
  private func knownRow(_ key: Int64, of layout: EntityLayout) -> HeldRow? {
    if let row = place.coordinator.cache.row(key, root: layout.rootNumber) { return row }
    guard layout.isAbstract else { return nil }
    let id = ManagedObjectID(
      key: key, entityNumber: layout.number, storeNumber: place.coordinator.storeNumber)
    return try? keys.withSettledKeys {
      try place.coordinator.row(id, of: layout, in: place.node, builder: &drafts.builder)
    }
  }

  /// What stands for an ID where an object of another entity has its key.
  private func objectBeside(_ other: ManagedObject, of layout: EntityLayout) -> ManagedObject {
    // That was a fault perhaps, which has believed an ID, too.
    if other.isFault { try? load(other) }
    let isRegistered = registry.object(other.key, root: layout.rootNumber) === other
    if !isRegistered || other.isGone {
      return makeFault(other.key, of: layout)
    }
    // The row is the other object's, so this one has none.
    return registry.makeObject(of: layout, key: other.key, row: layout.zero.row, state: .missing)
  }

  /// The object with an ID, its row read; none that the context has deleted, saved or not.
  package func existingObject(_ id: ManagedObjectID) throws -> ManagedObject {
    ancestors.publishQuietly()
    if let object = try newObject(id) { return object }
    guard let object = object(with: id) else {
      throw CauldronError(.objectNotFound, "Object \(id) belongs to another store.")
    }
    // It shows what it was like when its deletion was saved, as long as the row is not back.
    if object.isDeparted, try row(of: object) == nil { throw CauldronError.notFound(object) }
    // It may be back: an ancestor's rollback takes a deletion back.
    object.change { $0.lookAgain() }
    if place.coordinator.ledger.others.haveWritten { try verify(object) }
    do {
      try load(object)
    } catch let error as CauldronError where error.code == .objectNotFound {
      // The fault was of the ID's entity, and the row is of a subentity.
      guard let right = try newObject(id) else { throw error }
      return right
    }
    guard object.isAlive else {
      throw CauldronError.notFound(object)
    }
    return object
  }

  /// Makes the object with an ID together with its row; nil if it is registered, or has no row.
  func newObject(_ id: ManagedObjectID) throws -> ManagedObject? {
    guard id.storeNumber == place.coordinator.storeNumber, id.entityNumber > 0,
      id.entityNumber <= place.entityCount
    else { return nil }
    // Not retained: the coordinator's model keeps it.
    unowned(unsafe) let layout = place.layouts[Int(id.entityNumber) - 1].entity
    keys.followExchanges()
    let id = keys.followed(id)
    guard registry.object(id.key, root: layout.rootNumber) == nil else { return nil }
    guard let object = try unregisteredObject(id, of: layout) else { return nil }
    registry.insert(object, key: id.key, root: layout.rootNumber)
    hooks.noteFilled(object)
    return object
  }

  /// Makes the object with an ID; nil if there is no row of the ID's entity or a subentity.
  @inline(__always)
  private func unregisteredObject(
    _ id: ManagedObjectID, of layout: EntityLayout
  ) throws -> ManagedObject? {
    // Mostly no context has unsaved changes, and the row is cached: that takes one lock.
    let mayHaveLayers = place.unretained.node._withUnsafeGuaranteedRef { $0.pending.mayBeAny }
    if !mayHaveLayers, let row = cachedRow(id, of: layout) {
      return makeObject(retained: row, layout)
    }
    let state = place.unretained.ledger._withUnsafeGuaranteedRef { ledger in
      place.unretained.node._withUnsafeGuaranteedRef { ledger.state(to: $0) }
    }
    let row: HeldRow?
    if state.hasLayers {
      row = try place.coordinator.row(id, of: layout, in: place.node, builder: &drafts.builder)
    } else if mayHaveLayers, let row = cachedRow(id, of: layout) {
      return makeObject(retained: row, layout)
    } else {
      row = try place.coordinator.uncachedRow(
        id, of: layout, mark: state.mark, in: place.node, builder: &drafts.builder)
    }
    guard let row else { return nil }
    _ = Unmanaged.passRetained(row.block)
    return makeObject(retained: row.row, layout)
  }

  /// The committed row of an object, its block retained; nil where no row is known that is of the
  /// entity or a subentity.
  @inline(__always)
  private func cachedRow(_ id: ManagedObjectID, of layout: EntityLayout) -> RowPointer? {
    let row = place.unretained.cache._withUnsafeGuaranteedRef {
      $0.retainedRow(id.key, root: layout.rootNumber)
    }
    guard let row, row.entityNumber != id.entityNumber, !layout.includes(row.entityNumber) else {
      return row
    }
    Unmanaged.passUnretained(row.block).release()
    return nil
  }

  /// Makes the object of a row, whose entity decides the class; it takes over a retain of the row's
  /// block.
  @inline(__always)
  private func makeObject(retained row: RowPointer, _ layout: EntityLayout) -> ManagedObject {
    if row.entityNumber == layout.number {
      return registry.makeObject(of: layout, key: row.key, retained: row, state: .shown)
    }
    let own = place.layouts[Int(row.entityNumber) - 1].entity
    return registry.makeObject(of: own, key: row.key, retained: row, state: .shown)
  }

  // MARK: Objects of rows

  /// The objects for fetched rows: registered ones as they are, new ones with the row.
  ///
  /// All are of classes that `Object` is a superclass of; the caller has seen to that.
  /// - Parameter refreshing: Whether registered objects without edits show the rows, too.
  package func objects<Object: ManagedObject>(_ rows: RowSet, refreshing: Bool = false) -> [Object]
  {
    // Called when all of them are there.
    defer { hooks.runWaitingHooks() }
    return registered(rows, refreshing: refreshing)
  }

  /// The same in the middle of something else, where no hook may run: they wait.
  func registered<Object: ManagedObject>(_ rows: RowSet, refreshing: Bool = false) -> [Object] {
    // The empty array is one for the whole process, and its count would be written here.
    if rows.isEmpty { return [] }
    return Array(unsafeUninitializedCapacity: rows.count) { buffer, count in
      guard let start = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      count = register(rows, at: start, refreshing: refreshing)
    }
  }

  /// The same, without regard to the class, so that a single row costs no generic code.
  private func register(
    _ rows: RowSet, at memory: UnsafeMutableRawPointer, refreshing: Bool
  ) -> Int {
    rows.withRows { register($0, at: memory, refreshing: refreshing) }
  }

  /// Writes the objects for rows, each retained, to memory.
  /// - Returns: Their number.
  private func register(
    _ rows: UnsafeBufferPointer<RowPointer>, at memory: UnsafeMutableRawPointer,
    refreshing: Bool
  ) -> Int {
    let objects = memory.assumingMemoryBound(to: Unmanaged<ManagedObject>.self)
    var maker = ObjectMaker(reader: self, refreshing: refreshing)
    var count = 0
    let ahead = 16
    for index in rows.indices {
      // The rows were packed a while ago, and lie at irregular distances.
      if index + ahead < rows.count { cauldron_prefetch(rows[index + ahead].words) }
      let row = rows[index]
      guard let object = maker.object(for: row) else { continue }
      objects[count] = object
      count += 1
    }
    return count
  }

  /// Shows a fetched row: in a fault, in an object that was gone, and, where others write, in one
  /// without edits of its own.
  func takeOver(_ row: RowPointer, for object: ManagedObject) {
    if !object.hasRow {
      object.fill(with: row)
      hooks.noteFilled(object)
    } else if object.isInaccessible {
      // Unknown when it was edited: the edits are on top of the row from now on.
      try? readAgain(object)
    } else if object.isUntouched {
      replace(object, by: row)
    }
  }

  func replace(_ object: ManagedObject, by row: RowPointer) {
    let old = object.trackedRow
    guard old != row else { return }
    let isSame = old.version == row.version && row.difference(from: old, object.layout).isEmpty
    if isSame, object.extras?.edits.untracked != nil { return }
    object.show(row)
    object.change { $0.endUnread() }
    object.extras?.error = nil
    if isSame { return }
    drafts.note(refreshed: object)
    hooks.noteSnapshot(of: object, flags: .refresh)
  }
}

/// Makes the objects of many rows.
struct ObjectMaker {
  private let place: Place
  private let registry: Registry
  private let hooks: Hooks
  private let reader: Reader
  private var entityNumber: Int32 = 0
  private var root: Int32 = 0
  private var type: ManagedObject.Type = ManagedObject.self
  /// Whether a row may be newer than what its object shows, and shall be shown then.
  private let refreshes: Bool

  init(reader: Reader, refreshing: Bool) {
    place = reader.place
    registry = reader.registry
    hooks = reader.hooks
    self.reader = reader
    refreshes = refreshing || place.coordinator.ledger.others.haveWritten
  }

  /// The registered object of a row, or a new one; retained. Nil for an entity that is not in the
  /// model.
  @inline(__always)
  mutating func object(for row: RowPointer) -> Unmanaged<ManagedObject>? {
    if row.entityNumber != entityNumber, !select(row.entityNumber) { return nil }
    if let object = registry.object(row.key, root: root) {
      if object.entityNumber == row.entityNumber {
        if refreshes || !object.isShown { reader.takeOver(row, for: object) }
        return .passRetained(object)
      }
      guard object.isClean else { return nil }
      reader.keys.forgetMisfit(object)
    }
    _ = Unmanaged.passRetained(row.block)
    let object = type.init(
      _seed: _ObjectSeed(
        owner: registry.owner, row: row, key: row.key, entityNumber: entityNumber,
        state: .shown))
    registry.insert(object, key: row.key, root: root)
    hooks.noteFilled(object)
    return .passRetained(object)
  }

  private mutating func select(_ number: Int32) -> Bool {
    guard let layout = place.coordinator.managedObjectModel.layout(number: number) else {
      return false
    }
    entityNumber = number
    root = layout.rootNumber
    type = place.classes.type(layout)
    return true
  }
}
