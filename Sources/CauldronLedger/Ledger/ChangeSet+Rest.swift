package import CauldronModel
package import CauldronStore

// What is left of changes where some of them are taken out.
extension ChangeSet {
  /// The same without changes to some objects.
  package func without(
    _ ids: Set<ManagedObjectID>, deletionsOnly: Bool = false, number: UInt64
  ) -> ChangeSet {
    let rest = entities.map { $0.without(ids.keys(of: $0.entity), deletionsOnly: deletionsOnly) }
    if zip(rest, entities).allSatisfy({ $0 === $1 }) { return self }
    return ChangeSet(id: number, entities: rest.filter { $0.count > 0 })
  }

  /// The changes to some objects alone.
  func only(_ ids: Set<ManagedObjectID>) -> ChangeSet {
    let sets = entities.map { set in
      let keys = ids.keys(of: set.entity)
      return EntityChanges(
        entity: set.entity, inserted: set.inserted.filter { keys.contains($0.key) },
        updated: set.updated.filter { keys.contains($0.row.key) },
        deleted: set.deleted.filter { keys.contains($0.key) })
    }
    return ChangeSet(id: id, entities: sets.filter { $0.count > 0 }, from: [self])
  }

  /// The objects that it deletes.
  var deletedIDs: Set<ManagedObjectID> {
    var ids: Set<ManagedObjectID> = []
    for set in entities {
      for deletion in set.deleted { ids.insert(ManagedObjectID(deletion.key, set.entity)) }
    }
    return ids
  }

  /// Whether a policy has brought one of some objects back.
  func restores(anyOf ids: some Collection<ManagedObjectID>) -> Bool {
    entities.contains { set in
      set.hasRestored
        && set.updated.contains {
          $0.isRestored && ids.contains(ManagedObjectID($0.row.key, set.entity))
        }
    }
  }

  /// The same without the one-to-one links that were made again with objects that came back: the context whose
  /// deletion had ended them makes them again itself.
  /// - Parameter objects: The objects.
  func withoutRelinks(
    to objects: [ManagedObjectID: RowUpdate?], _ builder: inout RowBuilder
  ) -> ChangeSet {
    var ends: [ManagedObjectID: PropertySet] = [:]
    for set in entities where set.hasRestored && !set.entity.digest.oneToOnes.isEmpty {
      for update in set.updated where update.isRestored {
        if objects[ManagedObjectID(update.row.key, set.entity)] == nil { continue }
        for index in set.entity.digest.oneToOnes.subtracting(update.changed).indices {
          guard let destination = set.entity.properties[index].destination,
            !update.row.isNull(index)
          else { continue }
          for partner in destination.entity.family {
            ends[ManagedObjectID(update.row.slot(index), partner.entity), default: PropertySet()]
              .insert(destination.inverse)
          }
        }
      }
    }
    if ends.isEmpty { return self }
    let sets = entities.map { $0.withoutRelinks(ends, builder: &builder) }
    if zip(sets, entities).allSatisfy({ $0 === $1 }) { return self }
    return ChangeSet(id: id, entities: sets.filter { $0.count > 0 }, from: [self])
  }

  /// The same without changes to some objects, but for an update in the place of a deletion.
  func without(
    _ edits: [ManagedObjectID: RowUpdate?], number: UInt64
  ) -> ChangeSet {
    let ids = Set(edits.keys)
    let rest = entities.map { set in
      let deleted = set.deleted.map { ManagedObjectID($0.key, set.entity) }
      let updates = deleted.compactMap { edits[$0] ?? nil }
      let rest = set.without(ids.keys(of: set.entity), deletionsOnly: false)
      if updates.isEmpty { return rest }
      return EntityChanges(
        entity: set.entity, inserted: rest.inserted, updated: rest.updated + updates,
        deleted: rest.deleted)
    }
    if zip(rest, entities).allSatisfy({ $0 === $1 }) { return self }
    return ChangeSet(id: number, entities: rest.filter { $0.count > 0 }, from: [self])
  }
}

extension EntityChanges {
  /// The same without changes to some rows; the set itself where it has none.
  package func without(_ keys: Set<Int64>, deletionsOnly: Bool = false) -> EntityChanges {
    guard
      keys.contains(where: { key in
        change(key).map { !deletionsOnly || $0.kind == .deletion } ?? false
      })
    else { return self }
    let others = deletionsOnly ? [] : keys
    return EntityChanges(
      entity: entity, inserted: inserted.filter { !others.contains($0.key) },
      updated: updated.filter { !others.contains($0.row.key) },
      deleted: deleted.filter { !keys.contains($0.key) })
  }

  /// The same without the links that are made at some ends.
  fileprivate func withoutRelinks(
    _ ends: [ManagedObjectID: PropertySet], builder: inout RowBuilder
  ) -> EntityChanges {
    var isSame = true
    let updated = updated.compactMap { update -> RowUpdate? in
      guard let ends = ends[ManagedObjectID(update.row.key, entity)] else { return update }
      let made = PropertySet(
        ends.intersection(update.changed).indices.filter {
          update.base.isNull($0) && !update.row.isNull($0)
        })
      if made.isEmpty { return update }
      isSame = false
      let changed = update.changed.subtracting(made)
      if changed.isEmpty, !update.isRestored { return nil }
      let row = builder.merge(made, from: update.base, onto: update.row, entity)
      row.setVersion(update.row.version)
      return RowUpdate(
        row: row, base: update.base, changed: changed, first: update.first,
        nullified: update.nullified.subtracting(made), alone: update.alone,
        isRestored: update.isRestored)
    }
    if isSame { return self }
    return EntityChanges(entity: entity, inserted: inserted, updated: updated, deleted: deleted)
  }

  /// The same changes, those to some rows made from others.
  /// - Parameter bases: The rows that they count as made from.
  package func rebased(onto bases: [Int64: HeldRow], _ builder: inout RowBuilder) -> EntityChanges {
    var held = RowMemory()
    let updated = updated.compactMap { update -> RowUpdate? in
      guard let base = bases[update.row.key] else { return update }
      // What the newest row has already is no edit.
      let changed = update.changed.subtracting(update.lapsed(on: base.row))
        .intersection(update.row.difference(from: base.row, entity))
      if changed.isEmpty { return nil }
      let row = builder.merge(changed, from: update.row, onto: base.row, entity)
      row.setVersion(base.row.nextVersion)
      held.keep(row)
      return RowUpdate(
        row: row, base: base.row, changed: changed,
        nullified: update.nullified.intersection(changed), alone: update.alone,
        isRestored: update.isRestored)
    }
    let deleted = deleted.map { bases[$0.key].map { RowDeletion(base: $0.row) } ?? $0 }
    builder.close()
    return withExtendedLifetime((held, bases)) {
      EntityChanges(entity: entity, inserted: inserted, updated: updated, deleted: deleted)
    }
  }
}

extension ManagedObjectID {
  /// The ID as layers know it, which are of one store.
  var ofAnyStore: ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: entityNumber, storeNumber: 0)
  }
}

extension Set<ManagedObjectID> {
  /// The keys of those of an entity.
  fileprivate func keys(of entity: EntityLayout) -> Set<Int64> {
    Set<Int64>(lazy.filter { $0.entityNumber == entity.number }.map(\.key))
  }
}
