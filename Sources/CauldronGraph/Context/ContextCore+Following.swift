import CauldronModel

// Objects that were created while no key could be reserved get one when they are saved to the store.
// The ledger exchanges the keys at once; the objects of each context follow at its next event, or
// when somebody looks for objects there.
extension ContextCore {
  /// Gives registered objects the keys that they have now.
  /// - Complexity: O(exchanged keys and registered objects); next to nothing where there are none.
  @inline(__always)
  func followExchanges() {
    if keys.isBehind { follow() }
  }

  /// Runs what reads, again where keys were exchanged meanwhile: so all of it is about the same keys
  /// as the registered objects.
  @inline(__always)
  func withSettledKeys<R>(_ read: () throws -> R) rethrows -> R {
    while true {
      followExchanges()
      let result = try read()
      if !keys.isBehind { return result }
    }
  }

  /// The ID that an object has now.
  @inline(__always)
  func followed(_ id: ManagedObjectID) -> ManagedObjectID {
    keys.followed(id)
  }

  /// Layers with the keys that the registered objects have.
  func follow(_ layers: [Layer]) -> [Layer] {
    withSettledKeys { layers.map { coordinator.ledger.followed($0) } }
  }

  @inline(never)
  private func follow() {
    let exchanges = keys.takeExchanges()
    guard identity.count > 0 else { return }
    forgetReferences()
    let provisional = coordinator.ledger.provisional
    pending.follow(provisional)
    var exchanger = KeyExchanger(provisional.finals)
    for exchange in exchanges {
      guard let object = identity.object(exchange.old, root: exchange.root) else { continue }
      if exchange.becomesOther {
        if let other = identity.object(exchange.new, root: exchange.root) {
          follow(object, &exchanger)
          leave(object, to: other, exchange)
          continue
        }
        pending.note(exchanged: object)
      }
      identity.insert(object, exchange.new, root: exchange.root)
      identity.remove(exchange.old, root: exchange.root)
      object.key = exchange.new
      follow(object, &exchanger)
    }
    followJoins(&exchanger)
    // They have IDs, and those of objects that are not registered, too.
    identity.forgetAllWalks()
  }

  /// The key of a join changes with those of its ends.
  private func followJoins(_ exchanger: inout KeyExchanger) {
    for root in place.joinRoots {
      for object in identity.map.objects(of: root) {
        let old = object.key
        let new = exchanger.joinKey(old, object.layout)
        if new == old { continue }
        identity.remove(old, root: root)
        guard identity.object(new, root: root) == nil else {
          // The other object was linked, too.
          object.vanish()
          continue
        }
        identity.insert(object, new, root: root)
        object.key = new
        follow(object, &exchanger)
      }
    }
  }

  /// Lets go of an object that has become another one, of which the context has the object already.
  private func leave(
    _ object: ManagedObject, to other: ManagedObject, _ exchange: ProvisionalKeys.Exchange
  ) {
    let isUnsaved = object.isNew
    defer { moveEdits(of: object, to: other) }
    identity.remove(exchange.old, root: exchange.root)
    object.noteChanges()
    object.change { $0.mergeIntoOther() }
    pending.note(exchanged: other)
    guard isUnsaved, !other.isListed,
      coordinator.ledger.pendingKind(other.registeredID, in: node) != nil
    else { return }
    // What the object was to be saved with is the other one's now.
    other.change { $0.takeOverChanges() }
    if !other.isFault { other.makeExtras().edits.beginUnsaved(at: other.trackedRow.held) }
    pending.objects.append(other)
  }

  /// What the running event has set of an object that is another one now is set of that.
  private func moveEdits(of object: ManagedObject, to other: ManagedObject) {
    defer { object.change { $0.endWriting() } }
    guard object.isWritable, let base = object.extras?.edits.eventBase else { return }
    let row = RowPointer(object.row)
    let edits = object.edits(since: base.row)
    if edits.isEmpty || !other.isAlive { return }
    let layout = object.layout
    if !other.isWritable { prepareWrite(other) }
    builder.close()
    other.show(builder.merge(edits, from: row, onto: RowPointer(other.row), layout))
    other.change { $0.beginWriting() }
    // What they were before is what the object has shown.
    other.extras?.edits.inherit(edits, from: base.row, layout, builder: &builder)
  }

  private func follow(_ object: ManagedObject, _ exchanger: inout KeyExchanger) {
    let (row, layout) = (RowPointer(object.row), object.layout)
    if object.isWritable {
      exchanger.write(row, layout)
    } else if !object.isFault {
      object.move(to: exchanger.row(row, layout))
    }
    object.extras?.edits.rename { exchanger.row($0, layout).held }
  }
}
