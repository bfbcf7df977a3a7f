import CauldronLedger
package import CauldronModel
import CauldronQuery
import CauldronStore
import Logging

/// Reads to-many relationships, of one object or of many at once.
///
/// It publishes nothing: a call ends the running event first where its walk has to find the event's
/// changes.
package struct Walker {
  let reader: Reader

  var place: Place { reader.place }
  var registry: Registry { reader.registry }
  var keys: ObjectKeys { reader.keys }
  var drafts: Drafts { reader.drafts }
  var event: EventState { drafts.event }
  var walks: WalkedLists { keys.walks }

  /// Whether asking what a relationship leads to reads: what the running event did is to be published first.
  @inline(__always)
  func mustRead(_ object: ManagedObject, through property: PropertyLayout) -> Bool {
    object.extras?.toMany[property.index] == nil && !event.isPropagating
      && property.destination != nil
  }

  /// The IDs that a to-many relationship leads to; in its order, if it has one.
  /// - Complexity: One statement at the first walk.
  func toManyIDs(of object: ManagedObject, through property: PropertyLayout) -> [ManagedObjectID] {
    keys.followExchanges()
    if let cache = object.extras?.toMany[property.index] { return cache.keys }
    guard let destination = property.destination else { return [] }
    if event.isPropagating { return walkedIDs(of: object, through: property) }
    do {
      return remember(
        try walk(object, through: property, destination: destination), of: object, through: property
      )
    } catch {
      logFailedWalk(error, of: object, through: property)
      return []
    }
  }

  /// Reads a to-many relationship whose walk has found nothing because it failed.
  /// - Throws: Why it cannot be read.
  func walkAgain(_ object: ManagedObject, through property: PropertyLayout) throws {
    guard mustRead(object, through: property), let destination = property.destination else {
      return
    }
    _ = remember(
      try walk(object, through: property, destination: destination), of: object, through: property)
  }

  private func walk(
    _ object: ManagedObject, through property: PropertyLayout,
    destination: PropertyLayout.Destination
  ) throws -> ToManyCache {
    if property.isOrdered {
      return try orderedWalk(object, through: property, destination: destination)
    }
    if let join = property.join {
      return ToManyCache(overlay(try linkedIDs(of: object, by: join), of: object, by: join))
    }
    let ids = try referrers(to: object, destination).ids(place.coordinator.storeNumber)
    return ToManyCache(overlay(ids, of: object, destination: destination))
  }

  /// The objects that a to-many relationship leads to, their rows read.
  ///
  /// All are of classes that `Object` is a superclass of; the caller has seen to that.
  /// - Complexity: One statement at the first walk; later, one for each few hundred faults.
  func toManyObjects<Object: ManagedObject>(
    of object: ManagedObject, through property: PropertyLayout
  ) -> [Object] {
    guard let destination = property.destination else { return [] }
    keys.followExchanges()
    if property.join == nil, !property.isOrdered, !event.isPropagating,
      object.extras?.toMany[property.index] == nil
    {
      do {
        let rows = try referrers(to: object, destination)
        let ids = overlay(
          rows.ids(place.coordinator.storeNumber), of: object, destination: destination)
        _ = remember(ToManyCache(ids), of: object, through: property)
        if event.objects.isEmpty { return reader.objects(rows) }
      } catch {
        logFailedWalk(error, of: object, through: property)
        return []
      }
    }
    let objects = toManyIDs(of: object, through: property).compactMap { id in
      self.reader.object(with: id).map { unsafeDowncast($0, to: Object.self) }
    }
    reader.loadFaults(among: objects, destination.entity)
    return objects
  }

  /// A walk that fails finds nothing; the object itself can be read all the same.
  func logFailedWalk(
    _ error: any Error, of object: ManagedObject, through property: PropertyLayout
  ) {
    place.coordinator.logger.error(
      "Cannot read \(object.layout.name).\(property.name): \(CauldronError.wrap(error))",
      metadata: ["object": "\(object.objectID)", "property": "\(property.name)"])
  }

  func referrers(
    to object: ManagedObject, _ destination: PropertyLayout.Destination
  ) throws -> RowSet {
    let property = destination.entity.properties[destination.inverse]
    let (rows, chain) = try keys.withSettledKeys {
      try place.coordinator.read(for: place.node) { snapshot in
        try snapshot.fetch(
          .referrers(to: [object.key], by: property, of: destination.entity),
          builder: &drafts.builder)
      }
    }
    noteUnsaved(in: chain, of: CollectionOfOne(object), entity: destination.entity)
    return rows
  }

  /// Notes of which objects a walk shows what contexts above have not saved.
  /// - Parameter entity: That of the rows that were walked.
  func noteUnsaved(
    in chain: LayerChain, of objects: some Sequence<ManagedObject>, entity: EntityLayout
  ) {
    guard chain.showsUnsaved(StoreQuery(entity: entity).entityNumbers, above: place.node) else {
      return
    }
    for object in objects {
      walks.noteWalkOfUnsaved(object, endedEdits: chain.way.endedEdits)
    }
  }

  private func remember(
    _ cache: ToManyCache, of object: ManagedObject, through property: PropertyLayout
  ) -> [ManagedObjectID] {
    object.makeExtras().toMany[property.index] = cache
    walks.noteWalk()
    return cache.keys
  }

  /// Whether a child has made a link again that an earlier event has taken away, or has taken away one that
  /// such an event has made: its object is a leftover.
  /// - Complexity: O(log layers), mostly.
  func isOvertaken(_ link: ManagedObject) -> Bool {
    if link.isInEvent { return false }
    let newest = place.coordinator.ledger.pendingKind(link.registeredID, in: place.node)
    return newest.map { ($0 == .deletion) != link.isDeleted } ?? false
  }

  /// Takes in what the running event changed, while the event itself is being ended.
  private func overlay(
    _ ids: [ManagedObjectID], of object: ManagedObject, destination: PropertyLayout.Destination
  ) -> [ManagedObjectID] {
    if event.objects.isEmpty { return ids }
    var cache = ToManyCache(ids)
    for other in event.objects
    where other.isInEvent && other.layout.isKind(of: destination.entity) {
      let property = other.layout.properties[destination.inverse]
      let refers = keys.reference(of: other, property) == object.objectID
      if refers, !other.isDeleted {
        cache.insert(other.objectID)
      } else {
        cache.remove(other.objectID)
      }
    }
    return cache.keys
  }

  // MARK: Links

  /// The IDs of the objects that an object is linked to.
  /// - Complexity: One statement.
  func linkedIDs(
    of object: ManagedObject, by join: PropertyLayout.Join
  ) throws -> [ManagedObjectID] {
    let (links, chain) = try links(of: object, join)
    var ids: [ManagedObjectID] = []
    links.walk { link in
      // Whoever has deleted an object may not have seen the link.
      if let id = farID(of: link, by: join), !isDeleted(id, in: chain) { ids.append(id) }
    }
    return ids
  }

  /// The links of an object, as rows.
  func links(
    of object: ManagedObject, _ join: PropertyLayout.Join
  ) throws -> (RowSet, LayerChain) {
    let near = join.entity.properties[join.near]
    let (rows, chain) = try keys.withSettledKeys {
      try place.coordinator.read(for: place.node) { snapshot in
        try snapshot.fetch(
          .referrers(to: [object.key], by: near, of: join.entity), builder: &drafts.builder)
      }
    }
    noteUnsaved(in: chain, of: CollectionOfOne(object), entity: join.entity)
    return (rows, chain)
  }

  /// Takes in what the running event has linked, while the event itself is being ended.
  func overlay(
    _ ids: [ManagedObjectID], of object: ManagedObject, by join: PropertyLayout.Join
  ) -> [ManagedObjectID] {
    if event.objects.isEmpty { return ids }
    var cache = ToManyCache(ids)
    for link in event.objects where link.layout === join.entity && link.isInEvent {
      let row = RowPointer(link.row)
      guard row.slot(join.near) == object.key, let id = farID(of: row, by: join) else { continue }
      if link.isDeleted { cache.remove(id) } else { cache.insert(id) }
    }
    return cache.keys
  }

  /// The objects that the context has deleted and that are linked still, because their side denies
  /// the deletion: no walk of a relationship shows them.
  func deniedEnds(of property: PropertyLayout) -> [ManagedObject] {
    guard property.join != nil, let destination = property.destination,
      destination.entity.properties[destination.inverse].deleteRule == .deny
    else { return [] }
    return (drafts.pending.objects + event.objects).filter {
      $0.isDoomed && $0.layout.isKind(of: destination.entity)
    }
  }

  /// The key of a link; where one of the objects cannot be linked, one with which no save writes it.
  package func joinKey(from near: Int64, to far: Int64, by join: PropertyLayout.Join) -> Int64 {
    let isSwapped = join.near == 1
    return JoinKey.key(near, far, isSwapped: isSwapped)
      ?? (isSwapped ? JoinKey.unfit(far, near) : JoinKey.unfit(near, far))
  }

  func farID(of link: RowPointer, by join: PropertyLayout.Join) -> ManagedObjectID? {
    keys.namedID(in: link, join.entity.properties[join.far])
  }

  /// Whether the context knows that an object is deleted, which a link may still lead to.
  func isDeleted(_ id: ManagedObjectID, in chain: LayerChain) -> Bool {
    if chain.newest(id)?.kind == .deletion { return true }
    guard let root = place.coordinator.layout(id)?.rootNumber,
      let object = registry.object(id.key, root: root)
    else { return false }
    // Where its deletion was saved, the layers and the store tell whether the row is back.
    return !object.isAlive && !object.isDeparted
  }

  // MARK: Order

  /// The destinations of an ordered relationship, with the running event's.
  func orderedWalk(
    _ object: ManagedObject, through property: PropertyLayout,
    destination: PropertyLayout.Destination
  ) throws -> ToManyCache {
    var places: [ManagedObjectID: Int64] = [:]
    if let join = property.join {
      let (links, chain) = try links(of: object, join)
      links.walk { link in
        guard let id = farID(of: link, by: join), !isDeleted(id, in: chain) else { return }
        places[id] = place(link, reference: join.far)
      }
    } else {
      try referrers(to: object, destination).walk { row in
        let id = ManagedObjectID(
          key: row.key, entityNumber: row.entityNumber, storeNumber: place.coordinator.storeNumber)
        places[id] = place(row, reference: destination.inverse)
      }
    }
    for other in event.objects where other.isInEvent {
      if let end = orderedEnd(at: other, of: object, through: property, destination: destination) {
        places[end.id] = end.place
      }
    }
    return ToManyCache(ordered: places.map { ($0.key, $0.value) })
  }

  /// What a link or an object of the running event says of an ordered relationship: a destination with its
  /// place, or without one where it is none any more; nil where it says nothing.
  private func orderedEnd(
    at other: ManagedObject, of object: ManagedObject, through property: PropertyLayout,
    destination: PropertyLayout.Destination
  ) -> (id: ManagedObjectID, place: Int64?)? {
    let row = RowPointer(other.row)
    if let join = property.join {
      guard other.layout === join.entity, row.slot(join.near) == object.key,
        let id = farID(of: row, by: join)
      else { return nil }
      return (id, other.isDeleted ? nil : place(row, reference: join.far))
    }
    guard other.layout.isKind(of: destination.entity) else { return nil }
    let isIn =
      keys.reference(of: other, other.layout.properties[destination.inverse]) == object.objectID
    return (
      other.objectID, isIn && !other.isDeleted ? place(row, reference: destination.inverse) : nil
    )
  }

  /// Registered objects in the order of their places.
  func ordered(
    _ ids: [ManagedObjectID], destination: PropertyLayout.Destination
  ) -> ToManyCache {
    let root = destination.entity.rootNumber
    return ToManyCache(
      ordered: ids.map { id in
        let row = registry.object(id.key, root: root).map { RowPointer($0.row) }
        return (id, row.map { place($0, reference: destination.inverse) } ?? 0)
      })
  }

  package func place(_ row: RowPointer, reference: Int) -> Int64 {
    let layout = place.layouts[Int(row.entityNumber) - 1].entity
    return layout.properties[reference].orderSlot.map { row.slot($0) } ?? 0
  }

  /// The objects that a relationship leads to; those of a to-many were read before.
  package func ends(of object: ManagedObject, _ property: PropertyLayout) -> [ManagedObject] {
    switch property.kind {
    case .toOne:
      return keys.reference(of: object, property).flatMap { self.reader.object(with: $0) }.map {
        [$0]
      }
        ?? []
    case .toMany:
      return walkedIDs(of: object, through: property).compactMap { self.reader.object(with: $0) }
    case .attribute, .transient: return []
    }
  }
}
