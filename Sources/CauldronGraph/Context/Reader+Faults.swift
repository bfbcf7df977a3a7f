import CCauldron
import CauldronLedger
import CauldronModel
import CauldronStore
import Dispatch
import Logging

// Faults, and what becomes of an object whose row is read, is read anew, or cannot be read.
extension Reader {
  /// Reads the row of a fault.
  @usableFromInline
  package func fire(_ object: ManagedObject) {
    do {
      try load(object)
    } catch {
      object.note(unread: error)
    }
  }

  /// Reads an object's row and tells the object, where that is yet to be done.
  func ready(_ object: ManagedObject) {
    if object.isFault { fire(object) }
    if object.isAsleep { hooks.awaken(object) }
  }

  /// Reads the row of a fault, or throws why it cannot be read.
  func load(_ object: ManagedObject) throws {
    ancestors.publishQuietly()
    guard object.isFault else {
      if object.isUnread { try readAgain(object) }
      return
    }
    distrustIfStale(object)
    // What turns out to be of another class is gone, and told of below.
    if groups.mayLead(to: object), readTogether(object),
      object.hasRow
    {
      return
    }
    guard let row = try row(of: object) ?? laterRow(of: object) else {
      throw keys.noteMissing(object)
    }
    // An object that has just become this one has had the row read, and has put its edits on top.
    guard object.isFault else { return }
    object.fill(with: row.row)
    hooks.noteFilled(object)
  }

  /// Has the row of a fault read anew where the cached one may be older than the context wants it to be.
  func distrustIfStale(_ object: ManagedObject) {
    if keys.settings.habits.value & 2 == 0 { return }
    let interval = keys.settings.withLock { $0.stalenessInterval }
    let row = Registry.Key(key: object.key, root: object.layout.rootNumber)
    if readings.isFresh(row, within: interval) { return }
    place.coordinator.cache.outdate(object.key, root: object.layout.rootNumber)
    readings.note(row)
  }

  /// The row of an object of which there was none a moment ago, if it has come since.
  /// - Throws: `object.notFound` for what is unknown.
  func laterRow(of object: ManagedObject) throws -> HeldRow? {
    // What a commit has written, and the store has no more, is gone.
    guard !object.isGone,
      place.coordinator.keys.isUncommitted(object.key, root: object.layout.rootNumber)
    else { return nil }
    switch whereabouts.newestChange(of: object) {
    case .deletion: return nil
    case .insertion, .update: return try row(of: object)
    case nil: break
    }
    throw noteUnknown(object)
  }

  private func noteUnknown(_ object: ManagedObject) -> CauldronError {
    let error = CauldronError.unknown(object, at: whereabouts.whereabouts(of: object.registeredID))
    let isFirst = object.extras?.error == nil
    object.makeExtras().error = error
    // New objects mostly begin like this, so that blind edits conflict with real edits alone.
    object.move(to: object.layout.template.row)
    object.change { $0.becomeUnknown() }
    if isFirst {
      place.coordinator.logger.warning(
        "\(error)", metadata: error.metadata(showsValues: place.coordinator.showsValues))
    }
    return error
  }

  /// Looks again for objects that were unknown when they were edited.
  func readUnknown() {
    for object in drafts.pending.unread
    where object.isInaccessible
      && place.coordinator.keys.isReserved(object.key, root: object.layout.rootNumber)
    {
      try? readAgain(object)
    }
  }

  // MARK: Faults that are read together

  /// Notes that a to-one relationship has led to a fault.
  @inline(__always)
  func noteWay(from owner: ManagedObject, _ property: Int, to fault: ManagedObject) {
    groups.note(
      FaultGroups.Way(
        owner: owner.key, ownerEntity: owner.entityNumber, property: property,
        destination: fault.key, destinationEntity: fault.entityNumber))
  }

  /// Reads the row of a fault that is in no cache together with those of the faults that are likely to
  /// be wanted next; the objects of all are registered then, as by a fetch.
  /// - Returns: Whether they were read.
  /// - Complexity: One statement; O(objects that are looked at).
  func readTogether(_ object: ManagedObject) -> Bool {
    let root = object.layout.rootNumber
    guard object.key > 0, !groups.isGone(object.key, root: root),
      !drafts.pending.hasDropped(object.registeredID),
      place.coordinator.cache.entry(object.key, root: root) == nil
    else { return false }
    let search = GroupSearch(place: place, registry: registry, groups: groups)
    let keys: [Int64]
    if let way = groups.takeWay(to: object) {
      keys = search.destinations(along: way, root: root, of: object)
    } else if groups.faulted.contains(root) {
      keys = search.faults(from: object, root: root)
    } else {
      return false
    }
    groups.noteFound(keys.count)
    return keys.count > 1 && register(keys, root: root)
  }

  private func register(_ keys: [Int64], root: Int32) -> Bool {
    let entity = place.layouts[Int(root) - 1].entity
    self.keys.settleRefreshes()
    let rows = try? self.keys.withSettledKeys {
      try place.coordinator.read(for: place.node) {
        try $0.rows(keys, of: entity, builder: &drafts.builder)
      }.0
    }
    guard let rows else { return false }
    if rows.count < keys.count { groups.note(gone: Set(keys).subtracting(rows.map(\.key)), root) }
    let _: [ManagedObject] = registered(rows)
    return true
  }

  /// Reads the rows of those objects that are faults, many at once; a fault whose row cannot be
  /// read, or is gone, stays one and tells so when it is used.
  /// - Parameter few: So many are sooner found in the row cache.
  func loadFaults(among objects: [ManagedObject], _ entity: EntityLayout, few: Int = 8) {
    let faults = objects.filter { $0.isFault }
    guard faults.count > few else { return }
    ancestors.publishQuietly()
    keys.settleRefreshes()
    let rows = try? keys.withSettledKeys {
      let keys = faults.map(\.key)
      return try place.coordinator.read(for: place.node) {
        try $0.rows(keys, of: entity, builder: &drafts.builder)
      }.0
    }
    guard let rows else { return }
    rows.withRowsByKey { byKey in
      for object in faults {
        // A row of another class than the object's is for the fault itself to tell of.
        guard let row = byKey[object.key], row.entityNumber == object.entityNumber else { continue }
        object.fill(with: row)
        hooks.noteFilled(object)
      }
    }
  }

  /// Reads the rows of those objects that are faults, of whatever entities.
  package func loadFaults(among objects: [ManagedObject]) {
    let faults = objects.filter { $0.isFault }
    for (_, some) in Dictionary(grouping: faults, by: \.layout.rootNumber) {
      if let root = some.first?.layout.root { loadFaults(among: some, root) }
    }
    // A few, and what could not be read with the others.
    for object in faults where object.isFault { fire(object) }
  }

  /// Reads the rows of those objects that are in the store, many with one statement.
  func readAhead(_ objects: some Sequence<ManagedObject>, over chain: LayerChain) {
    var keys: [Int32: [Int64]] = [:]
    for object in objects where !chain.inserts(object.registeredID) {
      keys[object.layout.rootNumber, default: []].append(object.key)
    }
    place.coordinator.readAhead(keys)
  }

  // MARK: What cannot be read

  /// Whether an edited object's row is not read, so that the event's end leaves it for later.
  func isHeldBack(_ object: ManagedObject) -> Bool {
    guard object.isUnread, !object.isNew else { return false }
    object.change { $0.leaveEvent() }
    drafts.holdBack(object)
    return true
  }

  /// Tries once more to read the row of an object.
  /// - Throws: Why it cannot be read.
  package func readAgain(_ object: ManagedObject) throws {
    refresh(object, over: place.coordinator.ledger.view(of: place.node))
    if object.isUnread, let error = object.extras?.error { throw error }
  }

  /// The row of an object could be read after all: its edits, if any, belong to the running event.
  func takeUp(_ object: ManagedObject, row: RowPointer) {
    object.change { $0.endUnread() }
    object.extras?.error = nil
    guard drafts.release(object) else { return }
    object.extras?.edits.rebaseCommitted(onto: row.held)
    object.change { $0.enterEvent() }
    // What goes with it can be found now.
    if object.isDoomed { drafts.ownership.changeLists { drafts.event.delete(object) } }
    drafts.touch(object)
  }

  /// Drops the edits of what cannot be read; the next use reads it again.
  func forgetUnread(_ dropped: [ManagedObject]) {
    _ = drafts.takeUnread()
    for object in dropped where object.isUnread {
      if !object.isGone { object.makeFault() }
    }
  }

  /// Reads the row of an object that others may have changed or deleted; a cached one was read or
  /// committed since they did.
  func verify(_ object: ManagedObject) throws {
    guard object.isUntouched, !object.isFault else { return }
    guard let row = try row(of: object) else {
      object.vanish()
      return
    }
    withExtendedLifetime(row) { replace(object, by: row.row) }
  }

  // MARK: Newer rows

  /// Gives an object the row that the context sees now, with the event's own edits on top.
  ///
  /// An object with edits shows them still, and they count as made before: their save will meet
  /// what others have done to the same properties, or their deletion.
  /// - Parameter properties: Those that the object takes in; nil for all.
  func refresh(
    _ object: ManagedObject, over chain: LayerChain, taking properties: PropertySet? = nil
  ) {
    drafts.event.hold()
    defer { drafts.event.release() }
    do {
      guard let row = try row(of: object, chain) else {
        if object.isDeparted { return }
        // Created in the running event: nobody else knows of it yet.
        if object.isNew, object.isInEvent { return }
        // Its own deletion is what the context sees; that has to be saved still, and may be refused.
        if object.isDoomed || object.isInaccessible { return }
        if object.keepsEdits(chain.newest(object.objectID)) { return }
        object.vanish()
        return
      }
      withExtendedLifetime(row) {
        takeIn(properties.map { part(of: row.row, $0, for: object) } ?? row.row, for: object)
      }
    } catch {
      object.note(unread: error)
    }
  }

  /// The row that an object shows, without the event's edits, with some properties of a newer one.
  /// It keeps its version, so that a save compares edits of the kept properties with later commits.
  private func part(
    of row: RowPointer, _ properties: PropertySet, for object: ManagedObject
  ) -> RowPointer {
    guard object.hasRow, object.isAlive, !object.isUnread else { return row }
    let shown = object.extras?.edits.eventBase?.row ?? object.trackedRow
    let kept = row.difference(from: shown, object.layout).subtracting(properties)
      .subtracting(PropertySet(object.layout.digest.derived))
    if kept.isEmpty { return row }
    let part = drafts.builder.merge(kept, from: shown, onto: row, object.layout)
    part.setVersion(min(shown.version, row.version))
    return part
  }

  /// Has an object show a newer row, which has the context's published edits already; the event's
  /// edits stay on top of it.
  private func takeIn(_ row: RowPointer, for object: ManagedObject) {
    drafts.forgetReferences()
    if object.isUnread { takeUp(object, row: row) }
    // A deletion of the context's own, which nobody has published yet, stands.
    object.revive()
    let rowWithEdits = object.extras?.edits.takeIn(
      row, shown: RowPointer(object.row), isInEvent: object.isWritable, of: object.layout,
      builder: &drafts.builder)
    if let rowWithEdits {
      object.show(rowWithEdits)
      object.change { $0.beginWriting() }
    } else if !object.isWritable {
      object.show(row)
      object.extras?.edits.forgetLapsedRules(in: row)
    }
  }
}

extension ManagedObject {
  /// Whether an object whose row is gone shows its edits still, so that the save can tell of the
  /// deletion.
  /// - Parameter newest: The last that was done to it, as far as the context sees; a deletion that
  ///   came after the edits ends them.
  fileprivate func keepsEdits(_ newest: RowChange?) -> Bool {
    guard isEdited, isAlive, !isNew else {
      return false
    }
    return extras?.edits.eventBase != nil || newest?.kind == .update
  }

  /// Has an object forget its row and all that it knows.
  package func makeFault() {
    noteChanges()
    extras = nil
    // What is in the lists stays there; without the other flags it counts for nothing.
    change { $0.becomeFault() }
    move(to: layout.zero.row)
  }
}

/// When a context has had rows read anew, as many as are of use.
///
/// How old a cached row is nobody knows: it costs every reader to keep that. A context that wants to know
/// remembers which rows it has had read anew, and when.
struct Readings {
  private var times: [Registry.Key: UInt64] = [:]
  private static let most = 16_384

  /// Whether a row was read anew within some seconds.
  func isFresh(_ row: Registry.Key, within interval: Double) -> Bool {
    guard interval > 0, let time = times[row] else { return false }
    let age = Double(DispatchTime.now().uptimeNanoseconds &- time) / 1e9
    return age < interval
  }

  /// Notes that a row is read anew now.
  mutating func note(_ row: Registry.Key) {
    // Those that are forgotten are read once more.
    if times.count >= Self.most { times = [:] }
    times[row] = DispatchTime.now().uptimeNanoseconds
  }
}
