package import CauldronModel

// What imports need of a context beside what everybody can have: objects found and created many at a time.
extension ManagedObjectContext {
  /// How the store was when something was looked for in it.
  package struct Look {
    let mark: CommitMark
  }

  /// The objects with values of an attribute, as the contexts above see them: what this context itself has
  /// created is left out.
  /// - Complexity: One statement, whatever the context has not saved.
  package func importedObjects(
    _ entity: EntityLayout, _ property: PropertyLayout, _ values: Set<AttributeScalar>
  ) throws -> (objects: [ManagedObject], look: Look) {
    let mark = core.coordinator.ledger.mark
    var query = StoreQuery(entity: entity)
    query.predicate = .isIn(property, values)
    let rows = try core.withSettledKeys {
      try core.coordinator.read(core.node, includesOwn: false) {
        try $0.fetch(query, &core.builder)
      }.0
    }
    let objects: [ManagedObject] = core.objects(rows)
    return (objects.filter { $0.state.isDisjoint(with: [.gone, .deleted]) }, Look(mark: mark))
  }

  /// Has new objects get keys that the store knows nothing of, because none is ever saved.
  package func importReservesNothing() { core.keys.isProvisional = true }

  /// Creates an object of an entity.
  package func importCreated(_ entity: EntityLayout) -> ManagedObject { core.create(entity) }

  /// Creates an object with a unique value that nobody had at a look; all contexts that ask for the value get
  /// an object with the same ID, as with `findOrCreate`.
  package func importCreated(
    _ entity: EntityLayout, _ key: UniqueKey, _ value: AttributeScalar, since look: Look
  ) throws -> ManagedObject {
    try core.created(entity, key, value, since: look.mark)
  }

  /// Reads a to-many relationship of many objects.
  /// - Complexity: One statement for each few hundred objects.
  package func importWalk(_ objects: [ManagedObject], _ property: PropertyLayout) {
    core.publish()
    core.walk(objects, property)
  }
}

extension ContextCore {
  fileprivate func created(
    _ entity: EntityLayout, _ key: UniqueKey, _ value: AttributeScalar, since mark: CommitMark
  ) throws -> ManagedObject {
    let origin = origin(entity, key, [value])
    guard let parts = UniqueValue(key).values(of: origin.row), coordinator.ledger.mark == mark
    else {
      return try findOrCreate(entity, [(key.names[0], value)])
    }
    let values = UniqueValues(parts, of: key, in: entity)
    let claim = coordinator.claims.claim(values, key, entity) { origin }
    // Others have it in work: the long way knows what to do about that.
    guard let claim, claim.isNew else { return try findOrCreate(entity, [(key.names[0], value)]) }
    return object(of: claim, entity, key, [value], publishes: false)
  }
}
