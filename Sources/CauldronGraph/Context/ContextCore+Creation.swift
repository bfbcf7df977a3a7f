import CauldronModel
import Logging

extension ContextCore {
  /// Creates an object of an entity, with its defaults.
  /// - Complexity: O(properties); where no reserved key is left, three statements that wait for nobody.
  func create(_ layout: EntityLayout) -> ManagedObject {
    let (key, row) = newRow(layout)
    let object = makeObject(layout, key, row, .new)
    welcome(object, layout)
    return object
  }

  /// What a new object of an entity is made of where its own initializer runs; ``welcome(_:_:)``
  /// follows it.
  func newSeed(_ layout: EntityLayout) -> _ObjectSeed {
    let (key, row) = newRow(layout)
    return seed(layout, key, row, .new)
  }

  /// A key, and a row that has the defaults of an entity.
  @inline(__always)
  private func newRow(_ layout: EntityLayout) -> (key: Int64, row: RowPointer) {
    if !ownership.isCurrent { proveOwner() }
    if layout.isAbstract { trap("Entity \"\(layout.name)\" is abstract; create a subentity.") }
    let key = keys.take(layout, keyBatch)
    builder.close()
    var row = builder.begin(layout, key: key)
    for computed in layout.computedDefaults {
      row = builder.set(computed.index, computed.make(), of: row, layout)
    }
    if !layout.uniqueKeys.isEmpty, !layout.computedDefaults.isEmpty {
      row = noted(row, layout)
    }
    return (key, row)
  }

  /// Registers a new object, and tells it that it was created.
  @inline(__always)
  func welcome(_ object: ManagedObject, _ layout: EntityLayout) {
    identity.insert(object, object.key, root: layout.rootNumber)
    touch(object)
    awakeFromInsert(object)
  }

  /// Keeps what a new object is like, should it turn out to be a row that exists.
  /// - Returns: A copy of the row, for the object itself.
  private func noted(_ row: RowPointer, _ layout: EntityLayout) -> RowPointer {
    builder.close()
    event.note(origin: row.held, layout)
    return builder.copy(row, layout)
  }

  /// The layout of a class's entity; a class that is not in the model is a mistake and traps.
  func layout(of type: ManagedObject.Type) -> EntityLayout {
    if let last = identity.lastLayout(of: type) { return last }
    guard let layout = classes.layout(type, coordinator.managedObjectModel) else {
      let model = coordinator.managedObjectModel
      if type == ManagedObject.self {
        trap(
          "ManagedObject is the class of no entity; name a class, or the entity:"
            + " insertNewObject(forEntityName:).")
      }
      if let layout = model.layout(named: type._entityName),
        classes.onlyInherits(type, layout)
      {
        trap(CauldronError.withoutEntity(type, layout).description)
      }
      trap(
        "\(type) is not in model \"\(model.name)\"."
          + " Pass its entity to the model of the stack.")
    }
    identity.remember(layout, of: type)
    return layout
  }

  /// Puts an object on the list of what the event touched.
  func touch(_ object: ManagedObject) {
    if event.isSettled {
      node.unpublished.store(LedgerNode.Unpublished.edits)
      if ownership.kind == .main, event.depth == 0 { publisher.queueEventEnd() }
    }
    ownership.changeLists { event.touch(object) }
    noteReferences(of: object)
  }

  /// Takes more keys at once the more a context creates.
  var keyBatch: Int64 { Int64(min(4_096, max(16, event.objects.count))) }
}

extension CauldronError {
  /// Any error as one of ours.
  static func wrap(_ error: any Error) -> CauldronError {
    error as? CauldronError ?? CauldronError(.storeIO, "\(error)")
  }
}
