import CauldronModel

extension ContextCore {
  /// The object with an ID, its row read; none that the context has deleted, saved or not.
  func existingObject(_ id: ManagedObjectID) throws -> ManagedObject {
    publishAncestorsQuietly()
    if let object = try newObject(id) { return object }
    guard let object = object(with: id) else {
      throw CauldronError(.objectNotFound, "Object \(id) belongs to another store.")
    }
    // It may be back: an ancestor's rollback takes a deletion back.
    object.change { $0.lookAgain() }
    if coordinator.ledger.others.haveWritten { try verify(object) }
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
  private func newObject(_ id: ManagedObjectID) throws -> ManagedObject? {
    guard id.storeNumber == coordinator.storeNumber, id.entityNumber > 0,
      id.entityNumber <= place.entityCount
    else { return nil }
    // Not retained: the coordinator's model keeps it.
    unowned(unsafe) let layout = place.layouts[Int(id.entityNumber) - 1].entity
    followExchanges()
    let id = followed(id)
    guard identity.object(id.key, root: layout.rootNumber) == nil else { return nil }
    guard let object = try unregisteredObject(id, layout) else { return nil }
    identity.insert(object, id.key, root: layout.rootNumber)
    noteFilled(object)
    return object
  }

  /// Makes the object with an ID; nil if there is no row of the ID's entity or a subentity.
  @inline(__always)
  private func unregisteredObject(
    _ id: ManagedObjectID, _ layout: EntityLayout
  ) throws -> ManagedObject? {
    // Mostly no context has unsaved changes, and the row is cached: that takes one lock.
    let mayHaveLayers = place.unretained.node._withUnsafeGuaranteedRef { $0.pending.mayBeAny }
    if !mayHaveLayers, let row = cachedRow(id, layout) { return makeObject(retained: row, layout) }
    let state = place.unretained.ledger._withUnsafeGuaranteedRef { ledger in
      place.unretained.node._withUnsafeGuaranteedRef { ledger.state(to: $0) }
    }
    let row: HeldRow?
    if state.hasLayers {
      row = try coordinator.row(id, layout, in: node, &builder)
    } else if mayHaveLayers, let row = cachedRow(id, layout) {
      return makeObject(retained: row, layout)
    } else {
      row = try coordinator.uncachedRow(id, layout, state.mark, node, &builder)
    }
    guard let row else { return nil }
    _ = Unmanaged.passRetained(row.block)
    return makeObject(retained: row.row, layout)
  }

  /// The committed row of an object, its block retained; nil where no row is known that is of the
  /// entity or a subentity.
  @inline(__always)
  private func cachedRow(_ id: ManagedObjectID, _ layout: EntityLayout) -> RowPointer? {
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
      return makeObject(layout, row.key, retained: row, .shown)
    }
    let own = place.layouts[Int(row.entityNumber) - 1].entity
    return makeObject(own, row.key, retained: row, .shown)
  }
}
