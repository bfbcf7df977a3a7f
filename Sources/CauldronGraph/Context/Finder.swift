import CauldronLedger
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
  var registry: Registry { core.registry }

  // MARK: Unique values

  /// The object that has the values of a unique key, as the context sees it; created where there is
  /// none.
  ///
  /// All contexts that ask for a value which is not in the store yet get an object with the same ID.
  /// - Parameter isAlone: Whether an object of another entity of the hierarchy must not have the values; else
  ///   there is a new one, and the save tells.
  func findOrCreate(
    _ entity: EntityLayout, with values: [(name: String, value: AttributeScalar)],
    isAlone: Bool = true
  ) throws -> ManagedObject {
    let key = try uniqueKey(of: entity, in: values)
    let scalars = try sorted(values, by: key, of: entity)
    let keyed = KeyedValues(entity: entity, key: key, scalars: scalars)
    guard let value = keyed.claimable else {
      throw CauldronError.notFindable(entity, by: key.names)
    }
    if entity.isAbstract { throw CauldronError.isAbstract(entity) }
    if let known = remembered(value, by: key), entity.includes(known.entityNumber) { return known }
    core.found.noteLook()
    let scope = isAlone ? entity.scope(of: key) : entity
    let object = try findOrCreate(keyed, claimable: value, in: scope)
    core.found.note(value, of: object.registeredID)
    return object
  }

  private func findOrCreate(
    _ keyed: KeyedValues, claimable value: UniqueValues, in scope: EntityLayout
  ) throws -> ManagedObject {
    var query = StoreQuery(entity: scope)
    query.predicate = try PredicateNode.and(
      zip(keyed.key.names, keyed.scalars).map { .comparison(key: $0, .equal, $1) }
    ).bound(to: scope, storeNumber: coordinator.storeNumber)
    query.limit = 1
    let mark = coordinator.ledger.mark
    if let found = try firstObject(query, for: keyed) { return found }
    beginClaim()
    defer { claimIsUsed() }
    return try claimOrFind(keyed, claimable: value, query: query, since: mark)
  }

  /// The object that the values are claimed for, unless it has come in meanwhile.
  private func claimOrFind(
    _ keyed: KeyedValues, claimable value: UniqueValues, query: StoreQuery,
    since mark: CommitMark
  ) throws -> ManagedObject {
    let entity = keyed.entity
    var claim = claim(value, for: keyed)
    if let known = claim, !known.isNew, sees(known.key, of: entity) {
      // It may have come in a moment ago. Otherwise the values are the object's no more, as far as this
      // context sees, or it has been deleted.
      if let found = try firstObject(query, for: keyed) { return found }
      coordinator.claims.release(known.key, root: entity.rootNumber)
      claim = self.claim(value, for: keyed)
    }
    guard let claim else {
      // An object of another entity of the hierarchy has the values, or is about to.
      if query.entity !== entity {
        throw CauldronError.otherEntity(entity, names: keyed.key.names, object: nil)
      }
      return another(keyed)
    }
    // Whoever claimed it before may have saved it since it was looked for.
    if claim.isNew, coordinator.ledger.mark != mark,
      let found = try firstObject(query, for: keyed)
    {
      coordinator.claims.withdraw(claim)
      return found
    }
    return object(of: claim, for: keyed)
  }

  private func firstObject(
    _ query: StoreQuery, for keyed: KeyedValues
  ) throws -> ManagedObject? {
    core.publisher.publishForQuery()
    let objects: [ManagedObject] = core.reader.objects(try core.fetcher.rows(query))
    guard let found = objects.first else { return nil }
    guard keyed.entity.includes(found.entityNumber) else {
      throw CauldronError.otherEntity(keyed.entity, names: keyed.key.names, object: found)
    }
    return found
  }

  /// The object of a claim. One that the context has already has other values here, or is deleted, or
  /// it would have been found; so there must be another one.
  /// - Parameter publishes: Whether others are told at once; who makes many tells of them together.
  func object(
    of claim: UniqueClaims.Claim, for keyed: KeyedValues, publishes: Bool = true
  ) -> ManagedObject {
    let entity = keyed.entity
    core.keys.followExchanges()
    let number = coordinator.ledger.provisional.final(claim.key, entity: entity.number)
    let known = registry.object(number, root: entity.rootNumber)
    let unseen = known.flatMap { isUnseen($0) && $0.layout === entity ? $0 : nil }
    if let known, unseen == nil {
      guard known.isGone else {
        return another(keyed)
      }
      registry.remove(number, root: entity.rootNumber)
    }
    core.drafts.builder.close()
    let row =
      claim.row.map { core.drafts.builder.copy($0.row, entity) }
      ?? began(keyed, number: number)
    row.setKey(number)
    let object = insert(row, of: entity, as: unseen, isFirst: claim.isNew, publishes: publishes)
    // Without a hook it is the claimed row. A row that is not published is written on in place: other
    // contexts must not be given it.
    let isKept = claim.row != nil && publishes
    if claim.isNew, isKept || core.hooks.of(object).contains(.awakeFromInsert) {
      if !publishes { core.publisher.publish() }
      coordinator.claims.settle(claim, with: shared(RowPointer(object.row), of: entity))
    }
    return object
  }

  /// An object with values that another one has, or had.
  private func another(_ keyed: KeyedValues) -> ManagedObject {
    insert(
      began(keyed, number: core.keys.take(for: keyed.entity, batch: 16)), of: keyed.entity,
      isFirst: true)
  }

  /// Registers a new object, and publishes it at once: a claim always has an inserted object.
  /// - Parameters:
  ///   - unseen: The fault that becomes the new object; nil where the context has none.
  ///   - isFirst: Whether no other context has the object. It awakes once in its life, and others
  ///     begin with what became of it.
  private func insert(
    _ row: RowPointer, of entity: EntityLayout, as unseen: ManagedObject? = nil, isFirst: Bool,
    publishes: Bool = true
  ) -> ManagedObject {
    let own = core.drafts.builder.open == row ? row : core.drafts.builder.copy(row, entity)
    let object = unseen ?? core.registry.makeObject(of: entity, key: own.key, row: own, state: .new)
    if unseen == nil {
      registry.insert(object, key: own.key, root: entity.rootNumber)
    } else {
      object.endUnread()
      object.show(own)
      object.change { $0.becomeNew() }
    }
    core.drafts.touch(object)
    if isFirst { core.hooks.awakeFromInsert(object) }
    if publishes { core.publisher.publish() }
    return object
  }

  /// The unique key of exactly these properties.
  private func uniqueKey(
    of entity: EntityLayout, in values: [(name: String, value: AttributeScalar)]
  ) throws -> UniqueKey {
    let names = values.map(\.name)
    guard let key = entity.uniqueKeys.first(where: { Set($0.names) == Set(names) }),
      names.count == key.names.count
    else { throw CauldronError.notUniqueKey(of: entity, names: names) }
    return key
  }

  private func sorted(
    _ values: [(name: String, value: AttributeScalar)], by key: UniqueKey, of entity: EntityLayout
  ) throws -> [AttributeScalar] {
    try key.names.map { name in
      guard let value = values.first(where: { $0.name == name })?.value, !value.isNull else {
        throw CauldronError.notFindable(entity, by: [name])
      }
      return value
    }
  }

  /// The object that was found or created by some values before, if it still has them here.
  /// - Complexity: No statement while its row is cached or pending.
  func remembered(_ values: UniqueValues, by key: UniqueKey) -> ManagedObject? {
    guard let id = core.found[values], !coordinator.ledger.others.haveWritten else {
      return nil
    }
    if let known = core.keys.registeredObject(id), !known.isShownAlive { return nil }
    core.ancestors.publishQuietly()
    // A guess makes no fault of an object that is not to be seen here.
    guard let object = core.keys.registeredObject(id) ?? (try? core.reader.newObject(id)),
      object.isShownAlive
    else { return nil }
    let unique = UniqueValue(key)
    func has(_ row: RowPointer) -> Bool {
      unique.values(of: row).map { UniqueValues($0, of: key, in: object.layout) } == values
    }
    // The object may not show yet what others have saved.
    guard has(RowPointer(object.row)), let seen = try? core.reader.row(of: object), has(seen.row)
    else {
      return nil
    }
    return object
  }
}

/// A unique key of an entity, with a value for each of its properties.
struct KeyedValues {
  let entity: EntityLayout
  let key: UniqueKey
  /// In the order of the key's properties.
  let scalars: [AttributeScalar]

  /// The values as a claim has them; nil where one of them is none.
  var claimable: UniqueValues? {
    var scratch = RowBuilder()
    var row = scratch.begin(entity, key: 0)
    for (property, scalar) in zip(key.properties, scalars) {
      row = scratch.set(property.index, scalar, of: row, entity)
    }
    return UniqueValue(key).values(of: row).map { UniqueValues($0, of: key, in: entity) }
  }
}

// What stands for unique values that are not in the store yet.
extension Finder {
  /// What the values are claimed for; nil for another entity of the hierarchy.
  func claim(_ value: UniqueValues, for keyed: KeyedValues) -> UniqueClaims.Claim? {
    coordinator.claims.claim(value, of: keyed.entity) {
      let number = core.keys.take(for: keyed.entity, batch: 16)
      if begins(keyed.entity, reader: UniqueValue(keyed.key)) { return (number, nil) }
      return (number, origin(keyed, number: number))
    }
  }

  /// Has nothing be forgotten of what is claimed from now on, until layers insert it. Comes with a later
  /// ``claimIsUsed()``.
  /// - Complexity: One lock for an event that claims.
  @inline(__always)
  func beginClaim() {
    event.claimsInHand += 1
    if event.isClaiming { return }
    event.isClaiming = true
    coordinator.claims.begin(ObjectIdentifier(core))
  }

  /// What was claimed is an object of the event by now, or nobody has use for it.
  @inline(__always)
  func claimIsUsed() {
    event.claimsInHand -= 1
    if event.claimsInHand == 0, event.isEmpty { endClaiming() }
  }

  /// What was claimed is in layers, or nobody inserts it.
  func endClaiming() {
    guard event.isClaiming else { return }
    event.isClaiming = false
    coordinator.claims.end(ObjectIdentifier(core))
  }

  /// Whether all that is claimed begins with nothing but the defaults and the values.
  func begins(_ entity: EntityLayout, reader: UniqueValue) -> Bool {
    reader.isExact && entity.computedDefaults.isEmpty
  }

  /// Whether the context knows what became of an object that no commit has written.
  func sees(_ key: Int64, of entity: EntityLayout) -> Bool {
    core.keys.followExchanges()
    let number = coordinator.ledger.provisional.final(key, entity: entity.number)
    if let object = registry.object(number, root: entity.rootNumber),
      !object.isGone, !isUnseen(object)
    {
      return true
    }
    return coordinator.ledger.view(of: node).newest(coordinator.id(number, of: entity)) != nil
  }

  /// Whether an object is a fault of which the context knows the ID alone: one created by another context, say,
  /// and not saved to a level that this context reads.
  func isUnseen(_ object: ManagedObject) -> Bool {
    object.isFault && !object.isGone && object.isClean
  }

  /// The row without what only this context knows: it may never save that.
  func shared(_ row: RowPointer, of entity: EntityLayout) -> HeldRow {
    let own = entity.digest.toOnes.filter { property in
      guard !row.isNull(property.index), let target = property.destination?.entity else {
        return false
      }
      return coordinator.keys.isUncommitted(row.slot(property.index), root: target.rootNumber)
    }
    if own.isEmpty { return row.held }
    core.drafts.builder.close()
    let copy = core.drafts.builder.copy(row, entity)
    core.drafts.builder.close()
    for property in own {
      copy.setNull(property.index)
      for slot in property.companions { copy.setCompanion(0, at: slot) }
    }
    return copy.held
  }

  /// A row with the defaults and the values.
  func origin(_ keyed: KeyedValues, number: Int64) -> HeldRow {
    let row = began(keyed, number: number)
    core.drafts.builder.close()
    return row.held
  }

  /// A row with the defaults and the values, for a new object.
  func began(_ keyed: KeyedValues, number: Int64) -> RowPointer {
    let entity = keyed.entity
    core.drafts.builder.close()
    var row = core.drafts.builder.begin(entity, key: number)
    for computed in entity.computedDefaults {
      row = core.drafts.builder.set(computed.index, computed.make(), of: row, entity)
    }
    for (property, scalar) in zip(keyed.key.properties, keyed.scalars) {
      row = core.drafts.builder.set(property.index, scalar, of: row, entity)
    }
    return row
  }
}

extension CauldronError {
  /// Nothing says that there is at most one object with the values.
  static func notUniqueKey(
    of entity: EntityLayout, names: [String]
  ) -> CauldronError {
    let paths = names.map { "\\.\($0)" }.joined(separator: ", ")
    return CauldronError(
      .queryUnsupported,
      "Cannot find or create \(entity.name) by \(names.joined(separator: ", ")): nothing marks it as unique.",
      hint:
        "Write #Unique<\(entity.name)>([\(paths)]) in the class, or a constraint in the model that it is made of."
    ).with {
      $0.entity = entity.name
      $0.property = names.first
    }
  }

  /// What would be created is of a subentity, and nobody has said which.
  static func isAbstract(_ entity: EntityLayout) -> CauldronError {
    CauldronError(
      .queryUnsupported, "Cannot find or create \(entity.name): it is abstract.",
      hint: "Ask for a class that has objects of its own."
    ).with { $0.entity = entity.name }
  }

  /// An object of another entity of the hierarchy has the unique values.
  /// - Parameter object: The object; nil where another context has created it, and it is not saved yet.
  static func otherEntity(
    _ entity: EntityLayout, names: [String], object: ManagedObject?
  ) -> CauldronError {
    let found =
      object.map { "\($0.layout.name) \($0.objectID) has the value" }
      ?? "an unsaved object of another entity has the value"
    return CauldronError(
      .queryTypeMismatch,
      "Cannot find or create \(entity.name) by \(names.joined(separator: ", ")): \(found).",
      hint:
        "Look for \(object?.layout.name ?? "an object of the superentity"), or take another value."
    ).with {
      $0.entity = entity.name
      $0.property = names.first
      $0.objectIDs = object.map { [$0.objectID] } ?? []
    }
  }

  /// Nil is equal to nothing, so that nothing can be found by it.
  static func notFindable(
    _ entity: EntityLayout, by names: [String]
  ) -> CauldronError {
    CauldronError(
      .queryUnsupported,
      "Cannot find or create \(entity.name): \(names.joined(separator: ", ")) is nil, which is equal to"
        + " nothing.", hint: "Create the object."
    ).with {
      $0.entity = entity.name
      $0.property = names.first
    }
  }
}
