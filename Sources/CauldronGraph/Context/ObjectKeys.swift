package import CauldronLedger
package import CauldronModel
package import CauldronQuery

/// The keys of a context's objects: where new ones come from, and that objects have the keys of now.
///
/// Objects that were created while no key could be reserved get one when they are saved to the store.
/// The ledger exchanges the keys at once; the objects of each context follow at its next event, or
/// when somebody looks for objects there.
package final class ObjectKeys {
  let place: Place
  let registry: Registry
  let walks: WalkedLists
  let drafts: Drafts
  @exclusivity(unchecked) private var supply: KeySupply

  init(walks: WalkedLists, drafts: Drafts) {
    place = drafts.place
    registry = walks.registry
    self.walks = walks
    self.drafts = drafts
    supply = KeySupply(place.coordinator.keys, entityCount: place.entityCount)
  }

  var settings: SharedSettings { drafts.settings }
  var hooks: Hooks {
    @inline(__always) get { Hooks(drafts: drafts) }
  }

  // MARK: Supply

  /// The key of one more object of an entity.
  /// - Parameter batch: How many keys are taken where none is left.
  @inline(__always)
  package func take(for layout: EntityLayout, batch: @autoclosure () -> Int64) -> Int64 {
    supply.take(for: layout, batch: batch())
  }

  /// Gives back what was not used, for others in this process.
  func giveBack() { supply.giveBack(place.coordinator.managedObjectModel) }

  /// Has all keys be provisional, because nothing that gets one is ever saved.
  func reserveNothing() { supply.isProvisional = true }

  /// Whether keys were exchanged and the objects have not followed.
  @inline(__always)
  var isBehind: Bool { supply.isBehind }

  /// How many exchanges the objects have followed.
  var followedCount: UInt32 { supply.followedCount }

  // MARK: Exchanges

  /// Gives registered objects the keys that they have now.
  /// - Complexity: O(exchanged keys and registered objects); next to nothing where there are none.
  @inline(__always)
  package func followExchanges() {
    if isBehind { follow() }
  }

  /// Runs what reads, again where keys were exchanged meanwhile: so all of it is about the same keys
  /// as the registered objects.
  @inline(__always)
  package func withSettledKeys<R>(_ read: () throws -> R) rethrows -> R {
    while true {
      followExchanges()
      let result = try read()
      if !isBehind { return result }
    }
  }

  /// The ID that an object has now.
  @inline(__always)
  package func followed(_ id: ManagedObjectID) -> ManagedObjectID {
    supply.followed(id)
  }

  /// Layers with the keys that the registered objects have.
  func followed(_ layers: [Layer]) -> [Layer] {
    withSettledKeys { layers.map { place.coordinator.ledger.followed($0) } }
  }

  @inline(never)
  private func follow() {
    let exchanges = supply.takeExchanges()
    guard registry.count > 0 else { return }
    drafts.forgetReferences()
    let provisional = place.coordinator.ledger.provisional
    drafts.pending.follow(provisional)
    var exchanger = KeyExchanger(provisional.finals)
    for exchange in exchanges {
      guard let object = registry.object(exchange.old, root: exchange.root) else { continue }
      if exchange.becomesOther {
        if let other = registry.object(exchange.new, root: exchange.root) {
          follow(object, by: &exchanger)
          leave(object, to: other, exchange: exchange)
          continue
        }
        drafts.pending.note(exchanged: object)
      }
      registry.insert(object, key: exchange.new, root: exchange.root)
      registry.remove(exchange.old, root: exchange.root)
      object.key = exchange.new
      follow(object, by: &exchanger)
    }
    followJoins(&exchanger)
    // They have IDs, and those of objects that are not registered, too.
    walks.forgetAllWalks()
  }

  /// The key of a join changes with those of its ends.
  private func followJoins(_ exchanger: inout KeyExchanger) {
    for root in place.joinRoots {
      for object in registry.map.objects(of: root) {
        let old = object.key
        let new = exchanger.joinKey(old, of: object.layout)
        if new == old { continue }
        registry.remove(old, root: root)
        guard registry.object(new, root: root) == nil else {
          // The other object was linked, too.
          object.vanish()
          continue
        }
        registry.insert(object, key: new, root: root)
        object.key = new
        follow(object, by: &exchanger)
      }
    }
  }

  /// Lets go of an object that has become another one, of which the context has the object already.
  private func leave(
    _ object: ManagedObject, to other: ManagedObject, exchange: ProvisionalKeys.Exchange
  ) {
    let isUnsaved = object.isNew
    defer { moveEdits(of: object, to: other) }
    registry.remove(exchange.old, root: exchange.root)
    object.noteChanges()
    object.change { $0.mergeIntoOther() }
    drafts.pending.note(exchanged: other)
    guard isUnsaved, !other.isListed,
      place.coordinator.ledger.pendingKind(other.registeredID, in: place.node) != nil
    else { return }
    // What the object was to be saved with is the other one's now.
    other.change { $0.takeOverChanges() }
    if !other.isFault { other.makeExtras().edits.beginUnsaved(at: other.trackedRow.held) }
    drafts.pending.objects.append(other)
  }

  /// Moves the running event's edits of an object to the object of the same row that it has become.
  private func moveEdits(of object: ManagedObject, to other: ManagedObject) {
    defer { object.change { $0.endWriting() } }
    guard object.isWritable, let base = object.extras?.edits.eventBase else { return }
    let row = RowPointer(object.row)
    let edits = object.edits(since: base.row)
    if edits.isEmpty || !other.isAlive { return }
    let layout = object.layout
    if other.isFault { read(other) }
    if !other.isWritable { drafts.begin(other) }
    drafts.builder.close()
    other.show(drafts.builder.merge(edits, from: row, onto: RowPointer(other.row), layout))
    other.change { $0.beginWriting() }
    // What they were before is what the object has shown.
    other.extras?.edits.inherit(edits, from: base.row, of: layout, builder: &drafts.builder)
  }

  private func follow(_ object: ManagedObject, by exchanger: inout KeyExchanger) {
    let (row, layout) = (RowPointer(object.row), object.layout)
    if object.isWritable {
      exchanger.write(row, of: layout)
    } else if !object.isFault {
      object.move(to: exchanger.row(row, of: layout))
    }
    object.extras?.edits.rename { exchanger.row($0, of: layout).held }
  }

  // MARK: Rows of single objects

  /// Has a fault show its row, which edits are to be put on top of.
  private func read(_ object: ManagedObject) {
    do {
      guard let row = fitting(try row(of: object), of: object) else { throw noteMissing(object) }
      object.fill(with: row.row)
      hooks.noteFilled(object)
    } catch {
      object.note(unread: error)
    }
  }

  /// An object's row as the context sees it now, without edits that a refresh has dropped; nil where it is
  /// gone. It may be of another entity than the object. No key may be exchanged meanwhile.
  /// - Complexity: No statement where the row is cached or pending, else one.
  func row(of object: ManagedObject) throws -> HeldRow? {
    if drafts.pending.hasDropped(object.registeredID), let row = try rowWithoutDropped(object) {
      return row
    }
    return try place.coordinator.row(
      object.registeredID, of: object.layout, in: place.node, builder: &drafts.builder)
  }

  /// The row of an object whose unsaved changes a refresh has dropped, which the layers still have;
  /// nil where it is gone or where they have them no more.
  private func rowWithoutDropped(_ object: ManagedObject) throws -> HeldRow? {
    let chain = place.coordinator.ledger.view(withoutUnsavedOf: place.node)
    let row = try place.coordinator.row(
      object.registeredID, of: object.layout, over: chain, in: place.node, builder: &drafts.builder)
    // A newer one would have been read with all layers.
    if place.coordinator.ledger.isCurrent(chain), row != nil { return row }
    withdrawDropped()
    return nil
  }

  /// A row if it is of an object's entity; else nil, and the object leaves the context, because its class
  /// would not fit.
  func fitting(_ row: HeldRow?, of object: ManagedObject) -> HeldRow? {
    guard let row, row.row.entityNumber != object.entityNumber else { return row }
    forgetMisfit(object)
    return nil
  }

  /// Takes an object of the wrong class out of the registry, because its row is of another entity; the next
  /// look-up makes the right one.
  func forgetMisfit(_ object: ManagedObject) {
    object.change { $0.endFault() }
    object.vanish()
    object.move(to: object.layout.zero.row)
    let root = object.layout.rootNumber
    if registry.object(object.key, root: root) === object {
      registry.remove(object.key, root: root)
    }
  }

  /// Has a fault without a row be none any more: it counts as deleted, or as one that cannot be read.
  /// - Returns: What says so.
  func noteMissing(_ object: ManagedObject) -> CauldronError {
    object.change { $0.endFault() }
    object.move(to: object.layout.zero.row)
    let error = CauldronError.notFound(object)
    if settings.withLock({ $0.deletesInaccessible }) {
      object.vanish()
    } else {
      object.noteInaccessible(error)
    }
    return error
  }

  // MARK: What is named by keys

  /// A query that names objects by the keys that they have now.
  package func followed(_ query: StoreQuery) -> StoreQuery {
    query.followed(place.coordinator.ledger.provisional)
  }

  /// A value query that names objects by the keys that they have now.
  func followed(_ query: ValueQuery) -> ValueQuery {
    query.followed(place.coordinator.ledger.provisional)
  }

  /// The registered object with an ID, if its class is that of the ID's entity or a subentity.
  package func registeredObject(_ id: ManagedObjectID) -> ManagedObject? {
    guard let layout = place.coordinator.layout(id) else { return nil }
    followExchanges()
    let id = followed(id)
    guard let object = registry.object(id.key, root: layout.rootNumber),
      layout.includes(object.entityNumber)
    else { return nil }
    return object
  }

  // MARK: Where to-one relationships lead

  /// The registered object that a to-one relationship of one with a row leads to; nil also where it has to
  /// be looked for in another way.
  @inline(__always)
  func nearDestination(of object: ManagedObject, _ index: Int) -> ManagedObject? {
    let row = RowPointer(object.row)
    if row.isNull(index) || isBehind { return nil }
    let way = place.layouts[Int(object.entityNumber) - 1].entity.ways[index]
    // A provisional key may have been exchanged.
    let key = row.slot(index)
    guard key > 0, let found = registry.object(key, root: way.root) else { return nil }
    let number = way.slot < 0 ? way.number : Int32(truncatingIfNeeded: row.slot(Int(way.slot)))
    return found.entityNumber == number ? found : nil
  }

  /// The ID that a to-one relationship leads to.
  package func reference(of object: ManagedObject, _ property: PropertyLayout) -> ManagedObjectID? {
    reference(in: RowPointer(object.row), property)
  }

  /// The ID that a to-one relationship leads to in a row.
  package func reference(in row: RowPointer, _ property: PropertyLayout) -> ManagedObjectID? {
    namedID(in: row, property).map(followed)
  }

  /// The ID that a row names by a to-one relationship, whose key may have been exchanged since.
  func namedID(in row: RowPointer, _ property: PropertyLayout) -> ManagedObjectID? {
    guard let destination = property.destination, !row.isNull(property.index) else { return nil }
    let key = row.slot(property.index)
    let number =
      property.entitySlot.map { Int32(truncatingIfNeeded: row.slot($0)) }
      ?? destination.entity.number
    return ManagedObjectID(
      key: key, entityNumber: number, storeNumber: place.coordinator.storeNumber)
  }

  // MARK: Dropped changes

  /// Brings the context's own layers up to the refreshes of single objects; to be called before the
  /// layers are used.
  /// - Complexity: O(own unsaved changes) where objects with changes were refreshed.
  package func settleRefreshes() { if drafts.pending.hasRefreshed { settleRefreshesNow() } }

  private func settleRefreshesNow() {
    followExchanges()
    let rows = drafts.pending.takeRebased()
    if !drafts.pending.dropped.isEmpty { withdrawDropped() }
    if rows.isEmpty { return }
    drafts.event.hold()
    place.coordinator.ledger.rebase(place.node, onto: rows, builder: &drafts.builder)
    drafts.event.release()
  }

  private func withdrawDropped() {
    drafts.pending.follow(place.coordinator.ledger.provisional)
    place.coordinator.ledger.withdraw(drafts.pending.takeDropped(), from: place.node)
    place.coordinator.wakeReached()
    walks.forgetAllWalks()
    drafts.noteUnpublished()
  }
}

extension StoreQuery {
  /// The same for the keys that objects have now.
  package func followed(_ keys: ProvisionalKeys) -> StoreQuery {
    guard keys.exchangeCount > 0 else { return self }
    return mappingKeys { key, entity in keys.final(key, entity: entity.number) }
  }
}

extension ValueQuery {
  /// The same for the keys that objects have now.
  package func followed(_ keys: ProvisionalKeys) -> ValueQuery {
    guard keys.exchangeCount > 0 else { return self }
    return mappingKeys { key, entity in keys.final(key, entity: entity.number) }
  }
}
