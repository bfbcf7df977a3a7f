import CauldronLedger
package import CauldronModel
import CauldronQuery
package import CauldronStore
import Logging

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
    of entity: EntityLayout, by property: PropertyLayout, values: Set<AttributeScalar>
  ) throws -> (objects: [ManagedObject], look: Look) {
    let mark = core.coordinator.ledger.mark
    var query = StoreQuery(entity: entity)
    query.predicate = .isIn(property, values)
    let objects = try imported(query).filter { $0.isAlive }
    return (objects, Look(mark: mark))
  }

  /// The objects with values of a unique key, and some others, as the contexts above see them.
  /// - Complexity: One statement for each few hundred values; more only where the attributes are
  ///   combined in many ways.
  package func importedObjects(
    by key: UniqueKey, of entity: EntityLayout, values: [[AttributeScalar]]
  ) throws -> (objects: [ManagedObject], look: Look) {
    let mark = core.coordinator.ledger.mark
    var objects: [ManagedObject] = []
    for query in key.queries(values, in: entity) {
      objects += try imported(query).filter { $0.isAlive }
    }
    return (objects, Look(mark: mark))
  }

  private func imported(_ query: StoreQuery) throws -> [ManagedObject] {
    let rows = try core.keys.withSettledKeys {
      try core.coordinator.read(for: core.node, includesOwn: false) {
        try $0.fetch(query, builder: &core.drafts.builder)
      }.0
    }
    return core.reader.objects(rows)
  }

  /// Has new objects get keys that the store knows nothing of, because none is ever saved.
  package func importReservesNothing() { core.keys.reserveNothing() }

  /// Creates an object of an entity.
  package func importCreated(_ entity: EntityLayout) -> ManagedObject {
    prove()
    return core.editor.create(entity)
  }

  /// Creates an object with unique values that no object had at a look. All contexts that ask for these
  /// values get an object with the same ID, as with `findOrCreate`.
  /// - Parameter values: In the order of the key's properties.
  package func importCreated(
    _ entity: EntityLayout, by key: UniqueValue, values: [AttributeScalar], since look: Look
  ) throws -> ManagedObject {
    try created(entity, reader: key, scalars: values, since: look.mark)
  }

  /// Allows new objects of an import to be merged into existing ones on these keys alone: the keys
  /// that the import looks for.
  /// - Parameter keys: Their numbers, by root entity.
  package func importJoins(by keys: [Int32: Set<Int>]) {
    core.settings.withLock { $0.joinable = keys }
  }

  /// Whether an object has no value but its key, in every context, and may be deleted without a
  /// loss.
  /// - Parameter key: The properties that are the key.
  /// - Complexity: One statement for each to-many relationship of an object that is saved.
  package func importIsBare(_ object: ManagedObject, but key: PropertySet) -> Bool {
    guard (try? object.load()) != nil, object.isThereForImport else { return false }
    let layout = object.layout
    if object.isNew {
      // Somebody else may have asked for it, and saved more of it.
      guard core.coordinator.claims.isShared(object.key, root: layout.rootNumber) else {
        return true
      }
      return (try? core.reader.row(below: object)) == nil
    }
    let computed = Set(layout.computedDefaults.map(\.index))
    let row = RowPointer(object.row)
    return layout.properties.allSatisfy { property in
      switch property.kind {
      case .toOne: core.keys.reference(of: object, property) == nil
      case .toMany: core.toManyIDs(of: object, through: property).isEmpty
      default:
        key.contains(property.index) || property.derivation != nil
          || computed.contains(property.index)
          || property.storageClass.map {
            row.scalar(property.index, $0) == layout.template.row.scalar(property.index, $0)
          } ?? true
      }
    }
  }

  /// How many keys were exchanged so far.
  package var importExchangeCount: UInt32 { core.coordinator.ledger.provisional.exchangeCount }

  /// The ID that an object has now.
  package func importFollowed(_ id: ManagedObjectID) -> ManagedObjectID {
    core.keys.followExchanges()
    return core.keys.followed(id)
  }

  /// Notes that a to-many relationship of a new object leads nowhere; nothing is noted where others have asked
  /// for the object, too.
  package func importKnowsEmpty(_ object: ManagedObject, at index: Int) {
    guard object.extras?.toMany[index] == nil,
      !core.coordinator.claims.isShared(object.key, root: object.layout.rootNumber)
    else { return }
    object.makeExtras().toMany[index] =
      object.layout.properties[index].isOrdered ? ToManyCache(ordered: []) : ToManyCache([])
    core.walks.noteWalk()
  }

  /// Reads the rows of objects, where they were not.
  /// - Complexity: One statement for each few hundred objects.
  package func importRead(_ ids: [ManagedObjectID]) {
    core.reader.loadFaults(among: ids.compactMap { core.reader.object(with: $0) })
  }

  /// Reads a to-many relationship of many objects.
  /// - Throws: Why that of one of them cannot be read: an import must not take it for empty.
  /// - Complexity: One statement for each few hundred objects.
  package func importWalk(_ objects: [ManagedObject], through property: PropertyLayout) throws {
    core.publisher.publish()
    core.walker.walk(objects, through: property)
    for object in objects { try core.walker.walkAgain(object, through: property) }
  }

  private func created(
    _ entity: EntityLayout, reader: UniqueValue, scalars: [AttributeScalar],
    since mark: CommitMark
  ) throws -> ManagedObject {
    let key = reader.key
    let keyed = KeyedValues(entity: entity, key: key, scalars: scalars)
    func anyway() throws -> ManagedObject {
      let values = zip(key.names, scalars).map { (name: $0, value: $1) }
      return try core.finder.findOrCreate(entity, with: values, isAlone: false)
    }
    let number = core.keys.take(for: entity, batch: core.editor.keyBatch)
    let row =
      core.finder.begins(entity, reader: reader)
      ? nil : core.finder.origin(keyed, number: number)
    let isNull = scalars.contains(where: \.isNull)
    let parts = row.map { reader.values(of: $0.row) } ?? (isNull ? nil : scalars)
    guard let parts, core.coordinator.ledger.mark == mark else { return try anyway() }
    let values = UniqueValues(parts, of: key, in: entity)
    core.finder.beginClaim()
    defer { core.finder.claimIsUsed() }
    let claim = core.coordinator.claims.claim(values, of: entity, key: number, row: row)
    // Others have it in work: the long way knows what to do about that.
    guard let claim, claim.isNew else { return try anyway() }
    return core.finder.object(of: claim, for: keyed, publishes: false)
  }
}

/// What a record of an import has changed.
package struct ImportTouched {
  /// The objects, deleted ones among them; links are none.
  package private(set) var objects: [ManagedObject] = []
  /// Those that are new, or of which attributes were set.
  package private(set) var edited: Set<ManagedObjectID> = []
  package let changes: [ChangeSet]

  init(_ changes: [ChangeSet], _ core: ContextCore) {
    self.changes = changes
    var seen: Set<ObjectIdentifier> = []
    for set in changes.lazy.flatMap(\.entities) where !set.entity.isJoin {
      let attributes = set.entity.digest.attributes
      func note(_ key: Int64, isEdited: Bool) {
        guard let object = core.keys.registeredObject(core.coordinator.id(key, of: set.entity))
        else {
          return
        }
        if isEdited { edited.insert(object.registeredID) }
        if seen.insert(ObjectIdentifier(object)).inserted { objects.append(object) }
      }
      for row in set.inserted { note(row.key, isEdited: true) }
      for update in set.updated {
        note(update.row.key, isEdited: !update.changed.intersection(attributes).isEmpty)
      }
      for deletion in set.deleted { note(deletion.base.key, isEdited: false) }
    }
  }
}

extension ManagedObjectContext {
  /// What was changed since the open undo group began.
  /// - Complexity: O(changed rows).
  package func importTouched() -> ImportTouched {
    core.publisher.publish()
    core.keys.followExchanges()
    let steps = core.undoManager?.open.first?.steps ?? []
    return ImportTouched(steps.map { core.coordinator.ledger.followed($0.changes) }, core)
  }
}

extension ManagedObject {
  /// Runs a function of the class that an import calls: the context can neither be saved by it, nor be
  /// imported to.
  package final func runImportHook<Result>(
    _ hook: String, body: () throws -> Result
  ) throws -> Result {
    try core._withUnsafeGuaranteedRef { core in
      var result: Result?
      try core.hooks.run(hook, of: self, isOfImport: true) { result = try body() }
      guard let result else { throw CauldronError(.validationFailed, "\(hook) gave no answer.") }
      return result
    }
  }
}

extension ManagedObjectContext {
  /// Whether a hook of an import runs, which must not take away what other records have brought; that it has
  /// wanted to is logged.
  func isKeptByImport(_ what: String) -> Bool {
    guard let hook = core.event.hook, hook.isOfImport else { return false }
    core.coordinator.logger.error(
      "\"\(name)\" cannot be \(what) while \(hook) runs. Throw there to refuse the record."
    )
    return true
  }

  /// Looks whether something may be imported to the context.
  /// - Throws: Which hook of an import runs: what is imported within a record would stay where that is refused.
  package func importMayBegin() throws(CauldronError) {
    guard core.ownership.isCurrent, let hook = core.event.hook, hook.isOfImport else { return }
    throw CauldronError(
      .validationFailed, "Cannot import to \"\(name)\" while \(hook) runs.",
      hint: "Change objects there, or import afterwards.")
  }
}

extension ManagedObject {
  /// The value of an attribute as the object shows it; its row is read where it was not.
  package final func importedScalar(at index: Int, storage: StorageClass) -> AttributeScalar {
    _ready()
    return RowPointer(row).scalar(index, storage)
  }

  /// The values of a unique key; nil where one of them is nil, which is equal to nothing.
  package final func importedUniqueValues(_ key: UniqueKey) -> UniqueValues? {
    _ready()
    let layout = layout
    // Below another entity the same properties have the same numbers.
    return UniqueValue(key).values(of: RowPointer(row)).map {
      UniqueValues($0, of: key, in: layout)
    }
  }

  /// Whether the object is there, as far as the context sees.
  package final var isThereForImport: Bool { isAlive }
}
