package import CauldronModel
package import CauldronQuery

extension ManagedObject {
  /// Serves generated code: the object that a to-one relationship leads to.
  /// - Complexity: No statement; the object may be a fault.
  public final func _getToOne<Object: ManagedObject>(_ index: Int) -> Object? {
    _check()
    guard let object = destination(index) else { return nil }
    // Mostly it is of the very class, which is sooner seen than what it inherits.
    return type(of: object) == Object.self
      ? unsafeDowncast(object, to: Object.self) : object as? Object
  }

  /// Serves generated code: sets a to-one relationship and the inverse.
  public final func _setToOne<Object: ManagedObject>(_ index: Int, _ value: Object?) {
    _check()
    setDestination(through: index, to: value)
  }

  /// Serves generated code: the objects that a to-many relationship leads to.
  public final func _getToMany<Object: ManagedObject>(_ index: Int) -> ToMany<Object> {
    _check()
    return ToMany(self, index)
  }

  /// Serves generated code: makes a to-many relationship lead to exactly these objects.
  public final func _setToMany<Object: ManagedObject>(_ index: Int, _ value: ToMany<Object>) {
    _check()
    setDestinations(through: index, to: value.objects)
  }

  /// Serves generated code: the objects that an ordered relationship leads to.
  public final func _getOrderedToMany<Object: ManagedObject>(
    _ index: Int
  ) -> OrderedToMany<Object> {
    _check()
    return OrderedToMany(self, index)
  }

  /// Serves generated code: makes an ordered relationship lead to exactly these objects.
  public final func _setOrderedToMany<Object: ManagedObject>(
    _ index: Int, _ value: OrderedToMany<Object>
  ) {
    _check()
    setDestinations(through: index, to: Array(value))
  }

  package final func destination(_ index: Int) -> ManagedObject? {
    core._withUnsafeGuaranteedRef { core in
      core.reader.ready(self)
      guard
        let object = core.keys.nearDestination(of: self, index)
          ?? farDestination(through: index, in: core)
      else {
        return nil
      }
      if object.isFault { core.reader.noteWay(from: self, index, to: object) }
      return object
    }
  }

  /// What is not registered, or not under the key that the row names.
  private func farDestination(through index: Int, in core: ContextCore) -> ManagedObject? {
    core.keys.reference(of: self, layout.properties[index]).flatMap(core.reader.object(with:))
  }

  package final func setDestination(through index: Int, to value: ManagedObject?) {
    checkSameContext(value)
    _ready()
    core._withUnsafeGuaranteedRef {
      $0.setReference(of: self, through: layout.properties[index], to: value)
    }
  }

  package final func destinations(_ index: Int) -> [ManagedObject] {
    core._withUnsafeGuaranteedRef { core in
      core.walkTogether(self, through: layout.properties[index])
      return core.toManyObjects(of: self, through: layout.properties[index])
    }
  }

  /// The same where nothing may be missing.
  /// - Throws: Why the relationship cannot be read.
  package final func readDestinations(_ index: Int) throws -> [ManagedObject] {
    let found = destinations(index)
    return try found.isEmpty && walksAgain(index) ? destinations(index) : found
  }

  /// Their IDs where none may be missing.
  /// - Throws: Why the relationship cannot be read.
  package final func readDestinationIDs(_ index: Int) throws -> [ManagedObjectID] {
    let found = destinationIDs(index)
    return try found.isEmpty && walksAgain(index) ? destinationIDs(index) : found
  }

  /// Reads a relationship that a walk has found empty, if that walk has failed.
  /// - Returns: True, as it is known now.
  private func walksAgain(_ index: Int) throws -> Bool {
    try core._withUnsafeGuaranteedRef {
      try $0.walker.walkAgain(self, through: layout.properties[index])
    }
    return true
  }

  /// Those of the objects that are of a class.
  func destinations<Object: ManagedObject>(_ index: Int, of type: Object.Type) -> [Object] {
    core._withUnsafeGuaranteedRef { core in
      let property = layout.properties[index]
      core.walkTogether(self, through: property)
      // The entity decides the class of an object, so that one test serves for all.
      let family = property.destination?.entity.family ?? []
      guard family.allSatisfy({ core.coordinator.classes.type($0.entity) is Object.Type }) else {
        return destinations(index).compactMap { $0 as? Object }
      }
      return core.toManyObjects(of: self, through: property)
    }
  }

  func setDestinations(through index: Int, to objects: [ManagedObject]) {
    let wanted = Set(objects.map(\.objectID))
    let denied = core._withUnsafeGuaranteedRef {
      $0.walker.deniedEnds(of: layout.properties[index])
    }
    for old in destinations(index) + denied where !wanted.contains(old.objectID) {
      removeDestination(through: index, old)
    }
    for object in objects { insertDestination(through: index, object) }
    if layout.properties[index].isOrdered { arrange(through: index, in: objects.map(\.objectID)) }
  }

  /// Puts the objects of an ordered relationship in another order; repeated IDs count once, and
  /// objects without an ID in the list follow at the end.
  package final func arrange(through index: Int, in ids: [ManagedObjectID]) {
    let property = layout.properties[index]
    core._withUnsafeGuaranteedRef { core in
      let known = core.toManyIDs(of: self, through: property)
      var left = Set(known)
      let first = ids.filter { left.remove($0) != nil }
      core.arrange(self, through: property, in: first + known.filter(left.contains))
    }
  }

  /// Puts objects of an ordered relationship next to one another; an ID that stands there twice counts
  /// once.
  /// - Parameter position: Where the first of them is afterwards.
  package final func place(through index: Int, _ ids: [ManagedObjectID], at position: Int) {
    var seen: Set<ManagedObjectID> = []
    let once = ids.filter { seen.insert($0).inserted }
    if once.isEmpty { return }
    core._withUnsafeGuaranteedRef {
      $0.place(once, at: position, in: self, through: layout.properties[index])
    }
  }

  package final func destinationIDs(_ index: Int) -> [ManagedObjectID] {
    _check()
    return core._withUnsafeGuaranteedRef { core in
      core.walkTogether(self, through: layout.properties[index])
      return core.toManyIDs(of: self, through: layout.properties[index])
    }
  }

  package final func insertDestination(through index: Int, _ object: ManagedObject) {
    checkSameContext(object)
    if let join = layout.properties[index].join {
      let pair = LinkPair(self, through: layout.properties[index], by: join, to: object)
      return core._withUnsafeGuaranteedRef { core in
        core.link(pair)
        if let twin = pair.twin { core.link(twin) }
      }
    }
    guard let inverse = layout.properties[index].destination?.inverse else { return }
    core._withUnsafeGuaranteedRef {
      $0.setReference(of: object, through: object.layout.properties[inverse], to: self)
    }
  }

  func insertDestinations(through index: Int, _ objects: [ManagedObject]) {
    if layout.properties[index].join == nil {
      for object in objects { insertDestination(through: index, object) }
      return
    }
    for object in objects { checkSameContext(object) }
    let property = layout.properties[index]
    core._withUnsafeGuaranteedRef { core in
      core.link(self, through: property, all: objects)
      guard let join = property.join else { return }
      for object in objects {
        let pair = LinkPair(self, through: property, by: join, to: object)
        guard let twin = pair.twin else { continue }
        core.link(twin)
      }
    }
  }

  package final func removeDestination(through index: Int, _ object: ManagedObject) {
    if let join = layout.properties[index].join {
      let pair = LinkPair(self, through: layout.properties[index], by: join, to: object)
      return core._withUnsafeGuaranteedRef { core in
        core.links.unlink(pair)
        if let twin = pair.twin { core.links.unlink(twin) }
      }
    }
    guard let inverse = layout.properties[index].destination?.inverse else { return }
    core._withUnsafeGuaranteedRef { core in
      let property = object.layout.properties[inverse]
      if object.isFault { core.reader.fire(object) }
      guard core.keys.reference(of: object, property) == objectID else { return }
      core.setReference(of: object, through: property, to: nil)
    }
  }

  /// Whether a to-many relationship leads to an object.
  package final func hasDestination(through index: Int, _ object: ManagedObject) -> Bool {
    let property = layout.properties[index]
    if let join = property.join {
      guard object.core.toOpaque() == core.toOpaque() else { return false }
      return core._withUnsafeGuaranteedRef {
        $0.links.isLinked(LinkPair(self, through: property, by: join, to: object))
      }
    }
    guard let inverse = property.destination?.inverse else { return false }
    return object.destination(inverse) === self
  }

  private func checkSameContext(_ other: ManagedObject?) {
    guard let other, other.core.toOpaque() != core.toOpaque() else { return }
    let names = [self, other].map { $0.core._withUnsafeGuaranteedRef { $0.name } }
    let isOfOtherStack = objectID.storeNumber != other.objectID.storeNumber
    let remedy =
      isOfOtherStack
      ? " They belong to two stacks: find or create it in this one."
      : " Take `\(other.layout.name.lowercased()).in(context)`, which is the same object in the other"
        + " context."
    trap(
      "Objects of different contexts cannot be related:"
        + " \(layout.name) of \"\(names[0])\" and \(other.layout.name) of \"\(names[1])\"." + remedy
    )
  }

  /// What selects the destinations of a to-many relationship in a fetch.
  func selection(_ index: Int) -> PredicateNode {
    let property = layout.properties[index]
    guard property.join == nil, let destination = property.destination else {
      return .isSelf(destinationIDs(index))
    }
    _check()
    let inverse = destination.entity.properties[destination.inverse]
    return .refersTo(key: inverse.name, [objectID])
  }
}

/// A to-many relationship as part of a fetch.
package struct ToManySelection {
  /// Where the objects are; nil for a collection that has none.
  package let context: ManagedObjectContext?
  /// What holds for the objects of the relationship alone.
  package let node: PredicateNode

  init(_ owner: ManagedObject, _ index: Int) {
    context = owner.managedObjectContext
    node = owner.selection(index)
  }

  init(_ objects: [ManagedObject]) {
    context = objects.first?.managedObjectContext
    node = .isSelf(objects.map(\.objectID))
  }
}
