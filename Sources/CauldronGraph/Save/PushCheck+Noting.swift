import CauldronModel

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

  /// Takes back what deletion rules have done for deletions that a policy has cancelled.
  mutating func settled(_ sets: [EntityChanges]) -> [EntityChanges] {
    let cancelled = Set(resolutions.lazy.filter { $0.outcome == .keptTheirs }.map(\.objectID))
    guard !cancelled.isEmpty else { return sets }
    return sets.map { set in
      guard set.updated.contains(where: { !$0.nullified.isEmpty }) else { return set }
      let updated = set.updated.compactMap { restored($0, set.entity, cancelled) }
      return EntityChanges(
        entity: set.entity, inserted: set.inserted, updated: updated, deleted: set.deleted)
    }
  }

  private mutating func restored(
    _ update: RowUpdate, _ entity: EntityLayout, _ cancelled: Set<ManagedObjectID>
  ) -> RowUpdate? {
    let kept = update.nullified.indices.filter { index in
      guard let root = entity.properties[index].destination?.entity.rootNumber else { return false }
      let key = update.base.slot(index)
      return cancelled.contains {
        $0.key == key && coordinator.layout($0)?.rootNumber == root
      }
    }
    if kept.isEmpty { return update }
    return without(kept, update, entity)
  }
}
