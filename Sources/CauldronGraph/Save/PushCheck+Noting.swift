import CauldronModel
import CauldronStore

extension PushCheck {
  /// Records what the policy has made of changed properties.
  mutating func note(
    _ outcome: SaveResolution.Outcome, _ properties: PropertySet, _ update: RowUpdate,
    _ theirs: RowPointer?, _ id: ManagedObjectID, _ entity: EntityLayout
  ) {
    for index in properties.indices {
      guard let storage = entity.properties[index].storageClass else { continue }
      resolutions.append(
        SaveResolution(
          objectID: id, entityName: entity.name, property: entity.properties[index].name,
          outcome: outcome, was: update.base.scalar(index, storage),
          theirs: theirs?.scalar(index, storage), mine: update.row.scalar(index, storage)))
    }
  }

  /// Records what the policy has made of a deletion.
  mutating func note(
    _ outcome: SaveResolution.Outcome, deletionOf id: ManagedObjectID, _ entity: EntityLayout
  ) {
    resolutions.append(
      SaveResolution(
        objectID: id, entityName: entity.name, property: nil, outcome: outcome, was: nil,
        theirs: nil, mine: nil))
  }

  /// Takes back what delete rules have done for deletions that a policy has cancelled.
  mutating func settled(_ sets: [EntityChanges], _ layer: Layer) -> [EntityChanges] {
    let refused = Set(resolutions.lazy.filter { $0.outcome == .keptTheirs }.map(\.objectID))
    guard !refused.isEmpty else { return sets }
    let cancelled = withCascades(refused, layer)
    droppedObjects.formUnion(cancelled)
    for id in cancelled.subtracting(refused) {
      guard let entity = coordinator.layout(id), !entity.isJoin else { continue }
      note(.keptTheirs, deletionOf: id, entity)
    }
    return sets.map { set in
      let updated = set.updated.compactMap { restored($0, set.entity, cancelled) }
      let deleted = set.deleted.filter { deletion in
        !cancelled.contains(id(deletion.key, set.entity))
          && !(set.entity.isJoin && joins(deletion.base, set.entity, anyOf: cancelled))
      }
      return EntityChanges(
        entity: set.entity, inserted: set.inserted, updated: updated, deleted: deleted)
    }
  }

  /// Whether one of some objects is at an end of a link.
  private func joins(
    _ link: RowPointer, _ join: EntityLayout, anyOf objects: Set<ManagedObjectID>
  ) -> Bool {
    join.properties.contains { end in
      let family = end.destination?.entity.family ?? []
      return family.contains { objects.contains(id(link.slot(end.index), $0.entity)) }
    }
  }

  private mutating func restored(
    _ update: RowUpdate, _ entity: EntityLayout, _ cancelled: Set<ManagedObjectID>
  ) -> RowUpdate? {
    if update.nullified.isEmpty { return update }
    let kept = update.nullified.indices.filter { index in
      guard let family = entity.properties[index].destination?.entity.family else { return false }
      let key = update.base.slot(index)
      return family.contains { cancelled.contains(id(key, $0.entity)) }
    }
    if kept.isEmpty { return update }
    return without(kept, update, entity)
  }
}
