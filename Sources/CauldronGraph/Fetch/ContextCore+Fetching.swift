import CauldronModel

extension ContextCore {
  /// The rows that a query selects, the pending changes of the whole chain included.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  func fetchRows(_ query: StoreQuery) throws -> FetchedRows {
    publish()
    let isShort = query.limit.map { $0 <= 100 } ?? false
    return try withSettledKeys {
      let query = followed(query)
      return try coordinator.read(node, isShort: isShort) { try $0.fetch(query, &builder) }.0
    }
  }

  /// The IDs of the objects that a query selects, the pending changes of the whole chain included.
  func fetchIDs(_ query: StoreQuery) throws -> [ManagedObjectID] {
    publish()
    let number = coordinator.storeNumber
    return try withSettledKeys {
      let query = followed(query)
      return try coordinator.read(node) { snapshot in
        try snapshot.ids(query, storeNumber: number, &builder)
      }.0
    }
  }

  /// How many objects a query selects, the pending changes of the whole chain included.
  func count(_ query: StoreQuery) throws -> Int {
    publish()
    return try withSettledKeys {
      let query = followed(query)
      return try coordinator.read(node) { try $0.count(query, &builder) }.0
    }
  }

  /// A query whose condition names objects by the keys that they have now.
  func followed(_ query: StoreQuery) -> StoreQuery {
    let keys = coordinator.ledger.provisional
    guard keys.exchangeCount > 0, let predicate = query.predicate else { return query }
    var query = query
    query.predicate = predicate.mappingKeys(keys.final)
    return query
  }

  /// The registered object with an ID, or a fault for it; nothing is read.
  func object(with id: ManagedObjectID) -> ManagedObject? {
    guard let layout = coordinator.layout(id) else { return nil }
    followExchanges()
    let id = followed(id)
    let root = layout.rootNumber
    if let object = identity.object(id.key, root: root) { return object }
    let object = makeObject(layout, id.key, layout.zero.row, .fault)
    identity.insert(object, id.key, root: root)
    return object
  }

  /// Makes the object with an ID together with its row; nil if it is registered, or has no row.
  private func newObject(_ id: ManagedObjectID) throws -> ManagedObject? {
    guard id.storeNumber == coordinator.storeNumber, id.entityNumber > 0,
      id.entityNumber < keys.count
    else { return nil }
    // Not retained: the coordinator's model keeps it.
    unowned(unsafe) let layout = layouts[Int(id.entityNumber) - 1].entity
    followExchanges()
    let id = followed(id)
    guard identity.object(id.key, root: layout.rootNumber) == nil else { return nil }
    guard let object = try unregisteredObject(id, layout) else { return nil }
    identity.insert(object, id.key, root: layout.rootNumber)
    return object
  }

  /// Makes the object with an ID; nil if there is no row.
  @inline(__always)
  private func unregisteredObject(
    _ id: ManagedObjectID, _ layout: EntityLayout
  ) throws -> ManagedObject? {
    // Mostly no context has unsaved changes, and the row is cached: that takes one lock.
    let mayHaveLayers = unretained.node._withUnsafeGuaranteedRef { $0.pending.mayBeAny }
    if !mayHaveLayers, let row = cachedRow(id, layout) {
      return makeObject(layout, id.key, retained: row, [])
    }
    let state = unretained.ledger._withUnsafeGuaranteedRef { ledger in
      unretained.node._withUnsafeGuaranteedRef { ledger.state(to: $0) }
    }
    let row: HeldRow?
    if state.hasLayers {
      row = try coordinator.row(id, layout, in: node, &builder)
    } else if mayHaveLayers, let row = cachedRow(id, layout) {
      return makeObject(layout, id.key, retained: row, [])
    } else {
      row = try coordinator.uncachedRow(id, layout, state.mark, node, &builder)
    }
    return row.map { makeObject(layout, id.key, $0.row, []) }
  }

  /// The committed row of an object, its block retained; nil where no row is known.
  @inline(__always)
  private func cachedRow(_ id: ManagedObjectID, _ layout: EntityLayout) -> RowPointer? {
    unretained.cache._withUnsafeGuaranteedRef { $0.retainedRow(id.key, root: layout.rootNumber) }
  }

  /// The object with an ID, its row read; none that the context has deleted, saved or not.
  func existingObject(_ id: ManagedObjectID) throws -> ManagedObject {
    if let object = try newObject(id) { return object }
    guard let object = object(with: id) else {
      throw CauldronError(.objectNotFound, "Object \(id) belongs to another store.")
    }
    // It may be back: an ancestor's rollback takes a deletion back.
    if object.state.contains(.gone) { object.state.insert(.fault) }
    try load(object)
    guard object.state.isDisjoint(with: [.gone, .deleted]) else {
      throw CauldronError.notFound(object)
    }
    return object
  }
}
