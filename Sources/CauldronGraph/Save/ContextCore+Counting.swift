import CauldronModel

extension ContextCore {
  /// A to-many relationship that leads to too few or too many objects.
  struct Miscount {
    let id: ManagedObjectID
    let place: CountTally.Place
    let error: CauldronError
  }

  /// Counts the to-many relationships that layers have changed and that must not lead to any number.
  /// - Parameter isWhole: Whether nothing else waits in the context: then the layers alone tell about
  ///   what they insert.
  /// - Complexity: One statement for each relationship of an object that was there before, and of which
  ///   the layers may have made the number wrong.
  func miscounts(_ layers: [Layer], isWhole: Bool) throws(CauldronError) -> [Miscount] {
    let doubtful = CountTally(layers).doubtful
    if doubtful.isEmpty { return [] }
    var result: [Miscount] = []
    do {
      let counts = try counts(doubtful, isWhole: isWhole)
      for (doubt, count) in zip(doubtful, counts) {
        guard let failure = doubt.change.limit.failure(count),
          let owner = try owner(doubt.place, doubt.change)
        else { continue }
        result.append(miscount(failure, doubt.place, owner))
      }
    } catch {
      throw CauldronError.wrap(error)
    }
    return result
  }

  private func counts(
    _ doubtful: [(place: CountTally.Place, change: CountTally.Change)], isWhole: Bool
  ) throws -> [Int] {
    if isWhole, doubtful.allSatisfy(\.change.isInserted) { return doubtful.map(\.change.net) }
    return try withSettledKeys {
      try coordinator.read(node) { snapshot in
        try doubtful.map { place, change in
          if isWhole, change.isInserted { return change.net }
          return try count(place, change, snapshot)
        }
      }.0
    }
  }

  private func count(
    _ place: CountTally.Place, _ change: CountTally.Change, _ snapshot: Snapshot
  ) throws -> Int {
    let relationship = change.owner.properties[place.relationship]
    guard let destination = relationship.destination else { return change.net }
    // What refers to the object: a link, or the object at the other end.
    let (entity, index) =
      relationship.join.map { ($0.entity, $0.near) } ?? (destination.entity, destination.inverse)
    var query = StoreQuery(entity: entity)
    query.predicate = .refersTo(entity.properties[index], [place.key])
    return try snapshot.count(query, &builder)
  }

  /// The entity of the object that has the relationship; nil where it does not exist.
  private func owner(
    _ place: CountTally.Place, _ change: CountTally.Change
  ) throws -> (id: ManagedObjectID, entity: EntityLayout)? {
    let id = coordinator.id(place.key, change.owner)
    if change.isInserted { return (id, change.owner) }
    guard let row = try coordinator.row(id, change.owner, in: node, &builder)?.row else {
      return nil
    }
    let entity = self.place.layouts[Int(row.entityNumber) - 1].entity
    return (coordinator.id(place.key, entity), entity)
  }

  private func miscount(
    _ failure: CountFailure, _ place: CountTally.Place,
    _ owner: (id: ManagedObjectID, entity: EntityLayout)
  ) -> Miscount {
    let property = owner.entity.properties[place.relationship].name
    let error = CauldronError.miscounted(failure, "\(owner.entity.name).\(property)").with {
      $0.entity = owner.entity.name
      $0.property = property
      $0.objectIDs = [owner.id]
    }
    return Miscount(id: owner.id, place: place, error: error)
  }
}
