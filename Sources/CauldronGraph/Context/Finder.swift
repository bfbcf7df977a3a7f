import CauldronModel
import CauldronQuery
import CauldronStore

/// Finds objects by ID and by unique values, and creates those that are not there yet.
///
/// Unique values that are not in the store yet are claimed: each context that asks for them gets an object
/// with the same ID.
struct Finder {
  let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  var coordinator: PersistentStoreCoordinator { core.coordinator }
  var node: LedgerNode { core.node }
  var event: EventState { core.event }
  var identity: Identity { core.identity }

  /// The object with an ID, its row read; none that the context has deleted, saved or not.
  func existingObject(_ id: ManagedObjectID) throws -> ManagedObject {
    core.publisher.publishAncestorsQuietly()
    if let object = try newObject(id) { return object }
    guard let object = core.object(with: id) else {
      throw CauldronError(.objectNotFound, "Object \(id) belongs to another store.")
    }
    // It may be back: an ancestor's rollback takes a deletion back.
    object.change { $0.lookAgain() }
    if coordinator.ledger.others.haveWritten { try core.verify(object) }
    do {
      try core.load(object)
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
  private func newObject(_ id: ManagedObjectID) throws -> ManagedObject? {
    guard id.storeNumber == coordinator.storeNumber, id.entityNumber > 0,
      id.entityNumber <= core.place.entityCount
    else { return nil }
    // Not retained: the coordinator's model keeps it.
    unowned(unsafe) let layout = core.place.layouts[Int(id.entityNumber) - 1].entity
    core.followExchanges()
    let id = core.followed(id)
    guard identity.object(id.key, root: layout.rootNumber) == nil else { return nil }
    guard let object = try unregisteredObject(id, layout) else { return nil }
    identity.insert(object, id.key, root: layout.rootNumber)
    core.noteFilled(object)
    return object
  }

  /// Makes the object with an ID; nil if there is no row of the ID's entity or a subentity.
  @inline(__always)
  private func unregisteredObject(
    _ id: ManagedObjectID, _ layout: EntityLayout
  ) throws -> ManagedObject? {
    // Mostly no context has unsaved changes, and the row is cached: that takes one lock.
    let mayHaveLayers = core.place.unretained.node._withUnsafeGuaranteedRef { $0.pending.mayBeAny }
    if !mayHaveLayers, let row = cachedRow(id, layout) { return makeObject(retained: row, layout) }
    let state = core.place.unretained.ledger._withUnsafeGuaranteedRef { ledger in
      core.place.unretained.node._withUnsafeGuaranteedRef { ledger.state(to: $0) }
    }
    let row: HeldRow?
    if state.hasLayers {
      row = try coordinator.row(id, layout, in: node, &core.builder)
    } else if mayHaveLayers, let row = cachedRow(id, layout) {
      return makeObject(retained: row, layout)
    } else {
      row = try coordinator.uncachedRow(id, layout, state.mark, node, &core.builder)
    }
    guard let row else { return nil }
    _ = Unmanaged.passRetained(row.block)
    return makeObject(retained: row.row, layout)
  }

  /// The committed row of an object, its block retained; nil where no row is known that is of the
  /// entity or a subentity.
  @inline(__always)
  private func cachedRow(_ id: ManagedObjectID, _ layout: EntityLayout) -> RowPointer? {
    let row = core.place.unretained.cache._withUnsafeGuaranteedRef {
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
      return core.makeObject(layout, row.key, retained: row, .shown)
    }
    let own = core.place.layouts[Int(row.entityNumber) - 1].entity
    return core.makeObject(own, row.key, retained: row, .shown)
  }

  // MARK: Unique values

  /// The object that has the values of a unique key, as the context sees it; created where there is
  /// none.
  ///
  /// All contexts that ask for a value which is not in the store yet get an object with the same ID.
  func findOrCreate(
    _ entity: EntityLayout, _ values: [(name: String, value: AttributeScalar)]
  ) throws -> ManagedObject {
    let key = try uniqueKey(entity, values)
    let scalars = try sorted(values, by: key, entity)
    guard let value = claimed(key, scalars, entity) else {
      throw CauldronError.notFindable(entity, key.names)
    }
    if entity.isAbstract { throw CauldronError.isAbstract(entity) }
    if let known = remembered(value, key), entity.includes(known.entityNumber) { return known }
    identity.found.noteLook()
    let object = try findOrCreate(entity, value, key, scalars)
    identity.found.note(value, object.registeredID)
    return object
  }

  private func findOrCreate(
    _ entity: EntityLayout, _ value: UniqueValues, _ key: UniqueKey, _ scalars: [AttributeScalar]
  ) throws -> ManagedObject {
    var query = StoreQuery(entity: entity)
    query.predicate = try PredicateNode.and(
      zip(key.names, scalars).map { .comparison(key: $0, .equal, $1) }
    ).bound(to: entity, storeNumber: coordinator.storeNumber)
    query.limit = 1
    let mark = coordinator.ledger.mark
    if let found = try firstObject(query) { return found }
    beginClaim()
    defer { claimIsUsed() }
    return try claimOrFind(value, key, entity, scalars, query, since: mark)
  }

  /// The object that the values are claimed for, unless it has come in meanwhile.
  private func claimOrFind(
    _ value: UniqueValues, _ key: UniqueKey, _ entity: EntityLayout, _ scalars: [AttributeScalar],
    _ query: StoreQuery, since mark: CommitMark
  ) throws -> ManagedObject {
    var claim = claim(value, key, entity, scalars)
    if let known = claim, !known.isNew, sees(known.key, entity) {
      // It may have come in a moment ago. Otherwise the values are the object's no more, as far as this
      // context sees, or it has been deleted.
      if let found = try firstObject(query) { return found }
      coordinator.claims.release(known.key, entity.rootNumber)
      claim = self.claim(value, key, entity, scalars)
    }
    guard let claim else {
      // Another entity of the hierarchy has the values: the save will say so.
      return another(entity, key, scalars)
    }
    // Whoever claimed it before may have saved it since it was looked for.
    if claim.isNew, coordinator.ledger.mark != mark, let found = try firstObject(query) {
      coordinator.claims.withdraw(claim)
      return found
    }
    return object(of: claim, entity, key, scalars)
  }

  private func firstObject(_ query: StoreQuery) throws -> ManagedObject? {
    let found: [ManagedObject] = core.objects(try core.fetchRows(query))
    return found.first
  }

  /// The object of a claim. One that the context has already has other values here, or is deleted, or
  /// it would have been found; so there must be another one.
  /// - Parameter publishes: Whether others are told at once; who makes many tells of them together.
  func object(
    of claim: UniqueClaims.Claim, _ entity: EntityLayout, _ key: UniqueKey,
    _ scalars: [AttributeScalar], publishes: Bool = true
  ) -> ManagedObject {
    core.followExchanges()
    let number = coordinator.ledger.provisional.final(claim.key, entity.number)
    if let known = identity.object(number, root: entity.rootNumber) {
      guard known.isGone else {
        return another(entity, key, scalars)
      }
      identity.remove(number, root: entity.rootNumber)
    }
    core.builder.close()
    let row =
      claim.row.map { core.builder.copy($0.row, entity) } ?? began(entity, key, scalars, number)
    row.setKey(number)
    let object = insert(row, entity, isFirst: claim.isNew, publishes: publishes)
    // Without a hook it is the claimed row. A row that is not published is written on in place: other
    // contexts must not be given it.
    let isKept = claim.row != nil && publishes
    if claim.isNew, isKept || core.hooks(object).contains(.awakeFromInsert) {
      if !publishes { core.publisher.publish() }
      coordinator.claims.settle(claim, shared(RowPointer(object.row), entity))
    }
    return object
  }

  /// An object with values that another one has, or had.
  private func another(
    _ entity: EntityLayout, _ key: UniqueKey, _ scalars: [AttributeScalar]
  ) -> ManagedObject {
    insert(began(entity, key, scalars, core.keys.take(entity, 16)), entity, isFirst: true)
  }

  /// Registers a new object, and publishes it at once: a claim always has an inserted object.
  /// - Parameter isFirst: Whether no other context has the object. It awakes once in its life, and others
  ///   begin with what became of it.
  private func insert(
    _ row: RowPointer, _ entity: EntityLayout, isFirst: Bool, publishes: Bool = true
  ) -> ManagedObject {
    let own = core.builder.open == row ? row : core.builder.copy(row, entity)
    let object = core.makeObject(entity, own.key, own, .new)
    identity.insert(object, own.key, root: entity.rootNumber)
    core.touch(object)
    if isFirst { core.awakeFromInsert(object) }
    if publishes { core.publisher.publish() }
    return object
  }

  /// The unique key of exactly these properties.
  private func uniqueKey(
    _ entity: EntityLayout, _ values: [(name: String, value: AttributeScalar)]
  ) throws -> UniqueKey {
    let names = values.map(\.name)
    guard let key = entity.uniqueKeys.first(where: { Set($0.names) == Set(names) }),
      names.count == key.names.count
    else { throw CauldronError.notUniqueKey(entity, names) }
    return key
  }

  private func sorted(
    _ values: [(name: String, value: AttributeScalar)], by key: UniqueKey, _ entity: EntityLayout
  ) throws -> [AttributeScalar] {
    try key.names.map { name in
      guard let value = values.first(where: { $0.name == name })?.value, !value.isNull else {
        throw CauldronError.notFindable(entity, [name])
      }
      return value
    }
  }

  /// The object that was found or created by some values before, if it still has them here.
  /// - Complexity: No statement while its row is cached or pending.
  func remembered(_ values: UniqueValues, _ key: UniqueKey) -> ManagedObject? {
    guard let id = identity.found[values], !coordinator.ledger.others.haveWritten else {
      return nil
    }
    if let known = core.registeredObject(id), !known.isShownAlive { return nil }
    guard let object = try? existingObject(id), object.isShownAlive else {
      return nil
    }
    let unique = UniqueValue(key)
    func has(_ row: RowPointer) -> Bool {
      unique.values(of: row).map { UniqueValues($0, of: key, in: object.layout) } == values
    }
    // The object may not show yet what others have saved.
    guard has(RowPointer(object.row)), let seen = try? core.row(of: object), has(seen.row) else {
      return nil
    }
    return object
  }
}
