import CauldronModel

// Nobody may get an object of another class than its row's entity has: a property would be read and
// written where another one lies.
extension ContextCore {
  /// The registered object with an ID, or a fault for it; nothing is read, unless the ID is of an
  /// abstract entity.
  ///
  /// A fault believes the entity of the ID, where the row is not cached, until it is fired.
  func object(with id: ManagedObjectID) -> ManagedObject? {
    guard let layout = coordinator.layout(id) else { return nil }
    followExchanges()
    let id = followed(id)
    guard let object = identity.object(id.key, root: layout.rootNumber) else {
      return makeFault(id.key, layout)
    }
    if object.entityNumber == id.entityNumber || layout.includes(object.entityNumber) {
      return object
    }
    return objectBeside(object, layout)
  }

  /// The registered object with an ID, if its class is that of the ID's entity or a subentity.
  func registeredObject(_ id: ManagedObjectID) -> ManagedObject? {
    guard let layout = coordinator.layout(id) else { return nil }
    followExchanges()
    let id = followed(id)
    guard let object = identity.object(id.key, root: layout.rootNumber),
      layout.includes(object.entityNumber)
    else { return nil }
    return object
  }

  /// Takes an object out whose row turned out to be of another entity; another look-up makes the
  /// right one.
  func forgetMisfit(_ object: ManagedObject) {
    object.change { $0.endFault() }
    object.vanish()
    object.move(to: object.layout.zero.row)
    let root = object.layout.rootNumber
    if identity.object(object.key, root: root) === object {
      identity.remove(object.key, root: root)
    }
  }

  private func makeFault(_ key: Int64, _ layout: EntityLayout) -> ManagedObject {
    var own = layout
    if layout.family.count > 1, let row = knownRow(key, layout), row.isKind(of: layout) {
      own = place.layouts[Int(row.row.entityNumber) - 1].entity
    }
    let object = makeObject(own, key, own.zero.row, .fault)
    identity.insert(object, key, root: own.rootNumber)
    return object
  }

  /// The cached row of a fault to be. For an abstract entity it is read: what names one does not know
  /// which entity it is, and no object can be of it.
  private func knownRow(_ key: Int64, _ layout: EntityLayout) -> HeldRow? {
    if let row = coordinator.cache.row(key, root: layout.rootNumber) { return row }
    guard layout.isAbstract else { return nil }
    let id = ManagedObjectID(
      key: key, entityNumber: layout.number, storeNumber: coordinator.storeNumber)
    return try? withSettledKeys { try coordinator.row(id, layout, in: node, &builder) }
  }

  /// What stands for an ID where an object of another entity has its key.
  private func objectBeside(_ other: ManagedObject, _ layout: EntityLayout) -> ManagedObject {
    // That was a fault perhaps, which has believed an ID, too.
    if other.isFault { try? load(other) }
    let isRegistered = identity.object(other.key, root: layout.rootNumber) === other
    if !isRegistered || other.isGone {
      return makeFault(other.key, layout)
    }
    // The row is the other object's, so this one has none.
    return makeObject(layout, other.key, layout.zero.row, .missing)
  }
}
