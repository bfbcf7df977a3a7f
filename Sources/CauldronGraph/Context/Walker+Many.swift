import CauldronLedger
package import CauldronModel
import CauldronQuery

// What carrying a deletion on needs, and what is likely to be asked for next, is read for many objects at
// once.
extension Walker {
  /// How many objects' relationships one statement reads.
  private static let batch = 512

  /// Reads a to-many relationship of those objects of which it was not read yet.
  /// - Complexity: One statement for each few hundred objects; none for what the event has created.
  package func walk(_ objects: [ManagedObject], through property: PropertyLayout) {
    guard let destination = property.destination else { return }
    keys.followExchanges()
    var rest = objects.filter { $0.extras?.toMany[property.index] == nil }[...]
    if rest.isEmpty { return }
    indexReferrers()
    while !rest.isEmpty {
      _ = walk(rest.prefix(Self.batch), through: property, destination: destination)
      rest = rest.dropFirst(Self.batch)
    }
  }

  /// Reads a to-many relationship of objects with one statement.
  /// - Parameter most: How many rows may be read, at most; nil for any number.
  /// - Returns: Whether that went well; where it did not, nothing was taken in.
  func walk(
    _ objects: ArraySlice<ManagedObject>, through property: PropertyLayout,
    destination: PropertyLayout.Destination, most: Int? = nil
  ) -> WalkOutcome {
    if let join = property.join { return walk(objects, through: property, by: join, most: most) }
    return walkReferrers(objects, through: property, destination: destination, most: most)
  }

  private func walk(
    _ objects: ArraySlice<ManagedObject>, through property: PropertyLayout,
    by join: PropertyLayout.Join,
    most: Int?
  ) -> WalkOutcome {
    let known = objects.filter { !$0.isNew || $0.isPublished }
    var found: [Int64: [(id: ManagedObjectID, place: Int64)]] = [:]
    let rowCount: Int
    do {
      let (links, chain) = try links(of: known, by: join, most: most)
      rowCount = links.count
      if let most, rowCount > most { return .tooMany(links.counts(by: join.near)) }
      links.walk { link in
        if let own = registry.object(link.key, root: join.entity.number), own.isDoomed,
          !isOvertaken(own)
        {
          return
        }
        guard let id = farID(of: link, by: join), !isDeleted(id, in: chain) else { return }
        found[link.slot(join.near), default: []].append((id, place(link, reference: join.far)))
      }
    } catch {
      // Each object is then walked alone, which tells the one whose row cannot be read.
      if most != nil { return .tooMany([:]) }
      logFailedWalk(error, of: objects[objects.startIndex], through: property)
      return .read(rows: 0)
    }
    for object in objects {
      var all = found[object.key] ?? []
      var seen = Set(all.map(\.id))
      for link in event.referrers?.referrers(to: object, by: join.near) ?? []
      where link.layout === join.entity && link.isAlive {
        let row = RowPointer(link.row)
        guard let id = farID(of: row, by: join), seen.insert(id).inserted else { continue }
        all.append((id, place(row, reference: join.far)))
      }
      object.makeExtras().toMany[property.index] =
        property.isOrdered ? ToManyCache(ordered: all) : ToManyCache(all.map(\.id))
    }
    walks.noteWalk()
    return .read(rows: rowCount)
  }

  func links(
    of objects: [ManagedObject], by join: PropertyLayout.Join, most: Int?
  ) throws -> (RowSet, LayerChain) {
    if objects.isEmpty { return (RowSet(), LayerChain()) }
    let near = join.entity.properties[join.near]
    let (rows, chain) = try keys.withSettledKeys {
      try place.coordinator.read(for: place.node) { snapshot in
        let keys = Set(objects.map(\.key))
        return try snapshot.fetch(
          .referrers(to: keys, by: near, of: join.entity, limit: most.map { $0 + 1 }),
          builder: &drafts.builder)
      }
    }
    noteUnsaved(in: chain, of: objects, entity: join.entity)
    return (rows, chain)
  }

  /// The IDs that a to-many relationship leads to while deletions are carried on; none where they
  /// cannot be read.
  func walkedIDs(of object: ManagedObject, through property: PropertyLayout) -> [ManagedObjectID] {
    walk([object], through: property)
    return object.extras?.toMany[property.index]?.keys ?? []
  }

  private func walkReferrers(
    _ objects: ArraySlice<ManagedObject>, through property: PropertyLayout,
    destination: PropertyLayout.Destination, most: Int?
  ) -> WalkOutcome {
    let inverse = destination.entity.properties[destination.inverse]
    // Of an object that has never left the event only the event itself can know.
    let known = objects.filter { !$0.isNew || $0.isPublished }
    var found: [Int64: [ManagedObjectID]] = [:]
    let rowCount: Int
    do {
      let rows =
        try known.isEmpty
        ? RowSet() : referrers(to: known, through: inverse, of: destination.entity, most: most)
      rowCount = rows.count
      if let most, rowCount > most { return .tooMany(rows.counts(by: inverse.index)) }
      let _: [ManagedObject] = reader.registered(rows)
      rows.walk { row in
        guard let id = referrer(in: row, through: inverse, of: destination.entity) else { return }
        found[row.slot(inverse.index), default: []].append(id)
      }
    } catch {
      // Each object is then walked alone, which tells the one whose row cannot be read.
      if most != nil { return .tooMany([:]) }
      logFailedWalk(error, of: objects[objects.startIndex], through: property)
      return .read(rows: 0)
    }
    for object in objects {
      let all = withEvent(
        found[object.key] ?? [], of: object, through: inverse, entity: destination.entity)
      object.makeExtras().toMany[property.index] =
        property.isOrdered ? ordered(all, destination: destination) : ToManyCache(all)
    }
    walks.noteWalk()
    return .read(rows: rowCount)
  }

  private func referrers(
    to objects: [ManagedObject], through inverse: PropertyLayout, of entity: EntityLayout,
    most: Int?
  ) throws -> RowSet {
    let (rows, chain) = try keys.withSettledKeys {
      let keys = Set(objects.map(\.key))
      return try place.coordinator.read(for: place.node) { snapshot in
        try snapshot.fetch(
          .referrers(to: keys, by: inverse, of: entity, limit: most.map { $0 + 1 }),
          builder: &drafts.builder)
      }
    }
    noteUnsaved(in: chain, of: objects, entity: entity)
    return rows
  }

  /// The ID of a row's object, unless the event has made that lead elsewhere.
  private func referrer(
    in row: RowPointer, through inverse: PropertyLayout, of entity: EntityLayout
  ) -> ManagedObjectID? {
    guard let object = registry.object(row.key, root: entity.rootNumber) else { return nil }
    if object.isInEvent, !object.isDeleted {
      let shown = RowPointer(object.row)
      if shown.isNull(inverse.index) || shown.slot(inverse.index) != row.slot(inverse.index) {
        return nil
      }
    }
    return object.objectID
  }

  /// The objects that refer to an object, with those that the event has made refer to it.
  private func withEvent(
    _ ids: [ManagedObjectID], of object: ManagedObject, through inverse: PropertyLayout,
    entity: EntityLayout
  ) -> [ManagedObjectID] {
    let candidates = event.referrers?.referrers(to: object, by: inverse.index) ?? []
    if candidates.isEmpty { return ids }
    var known = Set(ids)
    var result = ids
    for candidate in candidates where candidate.layout.isKind(of: entity) {
      guard candidate.isAlive,
        // Its own layout knows where its row keeps the target's entity.
        keys.reference(of: candidate, candidate.layout.properties[inverse.index])
          == object.objectID,
        known.insert(candidate.objectID).inserted
      else { continue }
      result.append(candidate.objectID)
    }
    return result
  }

  /// Finds out, once, to what the event's objects refer.
  private func indexReferrers() {
    guard event.isPropagating, event.referrers == nil else { return }
    var index = ReferrerIndex()
    for object in event.objects where object.isInEvent {
      if object.isDeleted { continue }
      for property in object.layout.digest.toOnes {
        guard let id = keys.reference(of: object, property), let destination = property.destination,
          let target = registry.object(id.key, root: destination.entity.rootNumber)
        else { continue }
        index.note(object, at: property.index, leadingTo: target)
      }
    }
    event.keep(index)
  }

  /// Reads a to-many relationship of an object and, with the same statement, those of the objects beside
  /// it that show their rows.
  ///
  /// Only for reading a relationship: a half made change must not cause reads of neighbouring
  /// relationships, which belong to it. The object is left to be read alone where nothing stands
  /// beside it, where the event has changes that are not published, and where the relationships
  /// lead to too many objects.
  /// - Complexity: One statement; where they lead to too many, one in vain; none where it was read.
  func walkTogether(_ object: ManagedObject, through property: PropertyLayout) {
    guard object.extras?.toMany[property.index] == nil, !event.isPropagating, !event.isPublishing,
      let destination = property.destination
    else { return }
    keys.followExchanges()
    guard event.objects.isEmpty, object.key > 0 else { return }
    let owners = owners(from: object, property)
    guard owners.count > 1 else { return }
    switch walk(
      owners[...], through: property, destination: destination, most: FaultGroups.mostRows)
    {
    case .read(let rows):
      reader.groups.noteFound(owners.count)
      reader.groups.noteRead(owners.count, rows: rows, of: object.entityNumber, at: property.index)
    case .tooMany(let rows):
      reader.groups.noteTooMany(
        owners.count, rows: rows, of: object.entityNumber, at: property.index)
    }
  }

  /// The object, and those beside it whose relationship was not read yet.
  private func owners(
    from object: ManagedObject, _ property: PropertyLayout
  ) -> [ManagedObject] {
    let most = reader.groups.ownerCount(of: object.entityNumber, at: property.index)
    let hubs = reader.groups.hubs(of: object.entityNumber, at: property.index)
    if most == 1 || hubs.contains(object.key) { return [] }
    var owners = [object]
    registry.map.visit(
      from: object.key, root: object.layout.rootNumber, most: reader.groups.reach
    ) { other in
      if other !== object, other.entityNumber == object.entityNumber, other.key > 0,
        other.isShownAlive, !other.isNew, other.extras?.toMany[property.index] == nil,
        !hubs.contains(other.key)
      {
        owners.append(other)
      }
      return owners.count < most
    }
    return owners
  }
}

/// How reading a relationship of many objects has ended.
enum WalkOutcome {
  /// So many rows were read.
  case read(rows: Int)
  /// There are more rows than were to be read, or one that cannot be read: so many of those that were looked
  /// at belong to each object.
  case tooMany([Int64: Int])
}

extension RowSet {
  /// How many rows lead to each key by a property.
  fileprivate func counts(by property: Int) -> [Int64: Int] {
    var counts: [Int64: Int] = [:]
    walk { counts[$0.slot(property), default: 0] += 1 }
    return counts
  }
}
