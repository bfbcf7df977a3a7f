import CauldronLedger
package import CauldronModel
package import CauldronStore

/// The objects that a context has: which ones, how new ones are made, and of which entity a class is.
///
/// It owns the identity map, and calls no other part. It is a class that is held by a constant, so that
/// looking for an object retains nothing.
package final class Registry {
  /// The names of an object that may be gone by now.
  struct Key: Hashable {
    let key: Int64
    let root: Int32
  }

  let map: IdentityMap
  @exclusivity(unchecked) private var gone = GoneObjects()
  private let place: Place
  /// What the objects are made for; set before anybody else knows the context.
  @exclusivity(unchecked) private var tied: ObjectOwner?
  /// The class that was created last; mostly the next one is the same.
  @exclusivity(unchecked) private var last:
    (type: ManagedObject.Type, layout: EntityLayout.Unowned)?

  init(_ place: Place) {
    self.place = place
    map = IdentityMap(entities: place.entityCount)
  }

  /// Makes objects for a context from now on.
  func tie(to owner: ObjectOwner) { tied = owner }

  /// What the objects are made for.
  @inline(__always)
  var owner: ObjectOwner {
    guard let tied else { trap("Objects are made before there is a context for them.") }
    return tied
  }

  @inline(__always)
  func object(_ key: Int64, root: Int32) -> ManagedObject? { map.object(key, root: root) }

  @inline(__always)
  package func insert(_ object: ManagedObject, key: Int64, root: Int32) {
    map.insert(object, key: key, root: root)
  }

  func remove(_ key: Int64, root: Int32) { map.remove(key, root: root) }

  /// Removes an object that was never saved, and is gone. Lists that have shown it still tell of it.
  func removeGone(_ object: ManagedObject) {
    remove(object.key, root: object.layout.rootNumber)
    gone.note(object)
  }

  /// An object that was never saved and is gone, as long as the program holds it.
  package func goneObject(_ id: ManagedObjectID) -> ManagedObject? { gone.object(id) }

  /// Every registered object.
  func objects() -> [ManagedObject] { map.objects() }

  package var count: Int { map.count }

  /// The layout of a class's entity, if that was asked for last.
  @inline(__always)
  func lastLayout(of type: ManagedObject.Type) -> EntityLayout? {
    guard let last, last.type == type else { return nil }
    return last.layout.entity
  }

  /// The layout of a class's entity will be asked for again; the model keeps it.
  func remember(_ layout: EntityLayout, of type: ManagedObject.Type) {
    last = (type, EntityLayout.Unowned(entity: layout))
  }

  // MARK: Making objects

  /// Makes one object; the caller registers it.
  package func makeObject(
    of layout: EntityLayout, key: Int64, row: RowPointer, state: ObjectState
  ) -> ManagedObject {
    makeObject(of: layout, from: seed(of: layout, key: key, row: row, state: state))
  }

  /// Makes one object, which takes over a retain of the row's block.
  func makeObject(
    of layout: EntityLayout, key: Int64, retained row: RowPointer, state: ObjectState
  ) -> ManagedObject {
    makeObject(of: layout, from: seed(of: layout, key: key, retained: row, state: state))
  }

  /// What one object is made of.
  func seed(
    of layout: EntityLayout, key: Int64, row: RowPointer, state: ObjectState
  ) -> _ObjectSeed {
    _ = Unmanaged.passRetained(row.block)
    return seed(of: layout, key: key, retained: row, state: state)
  }

  private func seed(
    of layout: EntityLayout, key: Int64, retained row: RowPointer, state: ObjectState
  ) -> _ObjectSeed {
    _ObjectSeed(
      owner: owner, row: row, key: key, entityNumber: layout.number, state: state)
  }

  private func makeObject(of layout: EntityLayout, from seed: _ObjectSeed) -> ManagedObject {
    place.unretained.classes._withUnsafeGuaranteedRef { $0.type(layout) }.init(_seed: seed)
  }

  // MARK: Entities of classes

  /// The layout of a class's entity; a class that is not in the model is a mistake and traps.
  func layout(of type: ManagedObject.Type) -> EntityLayout {
    if let last = lastLayout(of: type) { return last }
    guard let layout = place.classes.layout(of: type, in: place.coordinator.managedObjectModel)
    else {
      let model = place.coordinator.managedObjectModel
      if type == ManagedObject.self {
        trap(
          "ManagedObject is the class of no entity; name a class, or the entity:"
            + " insertNewObject(forEntityName:).")
      }
      if let layout = model.layout(named: type._entityName),
        place.classes.onlyInherits(type, of: layout)
      {
        trap(CauldronError.withoutEntity(type, of: layout).description)
      }
      trap(
        "\(type) is not in model \"\(model.name)\"."
          + " Pass its entity to the model of the stack.")
    }
    remember(layout, of: type)
    return layout
  }

  // MARK: What others changed

  /// The registered objects, but for faults, that a change set touches.
  /// - Complexity: O(min(registered objects, changed rows)).
  package func objects(
    touchedBy changes: EntityChanges
  ) -> [(object: ManagedObject, kind: RowChange.Kind)] {
    var result: [(object: ManagedObject, kind: RowChange.Kind)] = []
    func add(_ object: ManagedObject?, as kind: RowChange.Kind) {
      if let object, !object.isFault { result.append((object, kind)) }
    }
    let root = changes.entity.rootNumber
    if map.count < changes.count {
      for object in map.objects() where object.layout === changes.entity {
        if let change = changes.change(object.key) { add(object, as: change.kind) }
      }
    } else {
      for row in changes.inserted { add(map.object(row.key, root: root), as: .insertion) }
      for update in changes.updated {
        add(map.object(update.row.key, root: root), as: .update)
      }
      for deletion in changes.deleted {
        add(map.object(deletion.key, root: root), as: .deletion)
      }
    }
    return result
  }
}

/// Objects that were created, and are gone without a save, as long as the program holds them.
private struct GoneObjects {
  private struct Reference {
    weak var object: ManagedObject?
  }

  private var references: [ManagedObjectID: Reference] = [:]
  /// How many references there may be before those to nothing are dropped.
  private var limit = 64

  mutating func note(_ object: ManagedObject) {
    if references.count >= limit {
      references = references.filter { $0.value.object != nil }
      limit = max(64, references.count * 2)
    }
    references[object.registeredID] = Reference(object: object)
  }

  func object(_ id: ManagedObjectID) -> ManagedObject? { references[id]?.object }
}
