import CauldronModel
import CauldronQuery
import Logging

extension ContextCore {
  /// The IDs that a to-many relationship leads to; in its order, if it has one.
  /// - Complexity: One statement at the first walk.
  func toManyIDs(_ object: ManagedObject, _ property: PropertyLayout) -> [ManagedObjectID] {
    followExchanges()
    if let cache = object.extras?.toMany[property.index] { return cache.keys }
    guard let destination = property.destination else { return [] }
    if event.isPropagating { return walkedIDs(object, property) }
    do {
      return remember(try walk(object, property, destination), object, property)
    } catch {
      logFailedWalk(error, object, property)
      return []
    }
  }

  private func walk(
    _ object: ManagedObject, _ property: PropertyLayout, _ destination: PropertyLayout.Destination
  ) throws -> ToManyCache {
    if property.isOrdered { return try orderedWalk(object, property, destination) }
    if let join = property.join {
      return ToManyCache(overlay(try linkedIDs(object, join), object, join))
    }
    let ids = try referrers(to: object, destination).ids(coordinator.storeNumber)
    return ToManyCache(overlay(ids, object, destination))
  }

  /// The objects that a to-many relationship leads to, their rows read.
  ///
  /// All are of classes that `Object` is a superclass of; the caller has seen to that.
  /// - Complexity: One statement at the first walk; later, one for each few hundred faults.
  func toManyObjects<Object: ManagedObject>(
    _ object: ManagedObject, _ property: PropertyLayout
  ) -> [Object] {
    guard let destination = property.destination else { return [] }
    followExchanges()
    if property.join == nil, !property.isOrdered, !event.isPropagating,
      object.extras?.toMany[property.index] == nil
    {
      do {
        let rows = try referrers(to: object, destination)
        let ids = overlay(rows.ids(coordinator.storeNumber), object, destination)
        _ = remember(ToManyCache(ids), object, property)
        if event.objects.isEmpty { return objects(rows) }
      } catch {
        logFailedWalk(error, object, property)
        return []
      }
    }
    let objects = toManyIDs(object, property).compactMap { id in
      self.object(with: id).map { unsafeDowncast($0, to: Object.self) }
    }
    loadFaults(among: objects, destination.entity)
    return objects
  }

  /// A walk that fails finds nothing; the object itself can be read all the same.
  func logFailedWalk(
    _ error: any Error, _ object: ManagedObject, _ property: PropertyLayout
  ) {
    coordinator.logger.error(
      "Cannot read \(object.layout.name).\(property.name): \(CauldronError.wrap(error))",
      metadata: ["object": "\(object.objectID)", "property": "\(property.name)"])
  }

  func referrers(
    to object: ManagedObject, _ destination: PropertyLayout.Destination
  ) throws -> RowSet {
    publisher.publishForQuery()
    let property = destination.entity.properties[destination.inverse]
    let (rows, chain) = try withSettledKeys {
      try coordinator.read(node) { snapshot in
        try snapshot.walk([object.key], by: property, of: destination.entity, &builder)
      }
    }
    noteUnsaved(chain, CollectionOfOne(object), destination.entity)
    return rows
  }

  /// Notes of which objects a walk shows what contexts above have not saved.
  /// - Parameter entity: That of the rows that were walked.
  func noteUnsaved(
    _ chain: LayerChain, _ objects: some Sequence<ManagedObject>, _ entity: EntityLayout
  ) {
    guard chain.showsUnsaved(StoreQuery(entity: entity).entityNumbers, above: node) else { return }
    for object in objects {
      identity.noteWalkOfUnsaved(object, endedEdits: chain.endedEdits)
    }
  }

  private func remember(
    _ cache: ToManyCache, _ object: ManagedObject, _ property: PropertyLayout
  ) -> [ManagedObjectID] {
    object.makeExtras().toMany[property.index] = cache
    identity.noteWalk()
    return cache.keys
  }

  /// Takes in what the running event changed, while the event itself is being ended.
  private func overlay(
    _ ids: [ManagedObjectID], _ object: ManagedObject, _ destination: PropertyLayout.Destination
  ) -> [ManagedObjectID] {
    if event.objects.isEmpty { return ids }
    var cache = ToManyCache(ids)
    for other in event.objects
    where other.isInEvent && other.layout.isKind(of: destination.entity) {
      let property = other.layout.properties[destination.inverse]
      let refers = reference(of: other, property) == object.objectID
      if refers, !other.isDeleted {
        cache.insert(other.objectID)
      } else {
        cache.remove(other.objectID)
      }
    }
    return cache.keys
  }
}
