import CauldronModel
import CauldronStore

/// Accepts deletions, and takes back what goes with those that the policy has cancelled.
struct DeletionRule: PushRule {
  let draft: PushDraft

  private var merging: MergeRule { MergeRule(draft: draft) }

  /// Accepts a deletion, drops it, or refuses it where the object changed meanwhile.
  func resolve(
    _ deletion: RowDeletion, of entity: EntityLayout, into resolved: inout Resolved
  ) throws(CauldronError) {
    let id = coordinator.id(deletion.key, of: entity)
    switch receiver.current(id, of: entity, base: deletion.base) {
    case .unknown: resolved.deleted.append(deletion)
    case .missing:
      // It may be on its way. What a rollback has dropped is nowhere, and its deletion has nothing to do.
      if receiver.isHeldSomewhere([id]) { throw .dependency(of: entity, id: id) }
      (resolved.isAdapted, draft.isNoticed) = (true, true)
      draft.note(.deletedAlready, deletionOf: id, of: entity)
    case .deleted:
      (resolved.isAdapted, draft.isNoticed) = (true, true)
      // What else the layer does may rest on the object, as when its rest is paid out to another.
      guard policy == .error || policy == .strict else {
        draft.note(.deletedAlready, deletionOf: id, of: entity)
        return
      }
      draft.conflicts.append(
        .conflict(
          MergeConflict(id, entity, was: deletion.base, theirs: nil, mine: nil, PropertySet()),
          of: entity))
    case .row(let row):
      if receiver.doubts.same(row, with: deletion.base) {
        resolved.deleted.append(deletion)
      } else if let restoring = draft.later.restoring(id) {
        // The layer that brings the object back is merged with this row, which another save has made.
        draft.trusted.insert(ObjectIdentifier(restoring))
        (resolved.isAdapted, draft.isNoticed) = (true, true)
        resolved.deleted.append(RowDeletion(base: row))
        draft.noteLinks(deleting: row, id: id, of: entity)
      } else {
        resolved.isAdapted = true
        delete(deletion, of: row, entity: entity, into: &resolved)
      }
    }
  }

  /// Deletes another row than the one that was read.
  private func delete(
    _ deletion: RowDeletion, of row: RowPointer, entity: EntityLayout,
    into resolved: inout Resolved
  ) {
    let id = coordinator.id(deletion.key, of: entity)
    let differing = merging.differences(of: row, from: deletion.base, entity)
    let theirs = differing.subtracting(
      merging.cleared(differing, was: deletion.base, theirs: row, of: entity))
    if theirs.isEmpty {
      resolved.deleted.append(RowDeletion(base: row))
      return
    }
    switch policy {
    case .error, .strict:
      draft.conflicts.append(
        .conflict(
          MergeConflict(id, entity, was: deletion.base, theirs: row, mine: nil, theirs), of: entity)
      )
    case .mergeByPropertyStoreTrump, .rollback:
      draft.isNoticed = true
      draft.note(.keptTheirs, deletionOf: id, of: entity)
    case .mergeByPropertyObjectTrump, .overwrite:
      resolved.deleted.append(RowDeletion(base: row))
      draft.note(.deletedTheirs, deletionOf: id, of: entity)
      draft.noteLinks(deleting: row, id: id, of: entity)
    }
  }

  // MARK: Cancelled deletions

  /// Takes back what delete rules have done for deletions that a policy has cancelled.
  func settled(_ sets: [EntityChanges]) -> [EntityChanges] {
    let refused = Set(draft.resolutions.lazy.filter { $0.outcome == .keptTheirs }.map(\.objectID))
    guard !refused.isEmpty else { return sets }
    let cancelled = withCascades(refused)
    draft.droppedObjects.formUnion(cancelled)
    for id in cancelled.subtracting(refused) {
      guard let entity = coordinator.layout(id), !entity.isJoin else { continue }
      draft.note(.keptTheirs, deletionOf: id, of: entity)
    }
    return sets.map { set in
      let updated = set.updated.compactMap { restored($0, of: set.entity, without: cancelled) }
      let deleted = set.deleted.filter { deletion in
        !cancelled.contains(coordinator.id(deletion.key, of: set.entity))
          && !(set.entity.isJoin && joins(deletion.base, of: set.entity, anyOf: cancelled))
      }
      return EntityChanges(
        entity: set.entity, inserted: set.inserted, updated: updated, deleted: deleted)
    }
  }

  /// Whether one of some objects is at an end of a link.
  private func joins(
    _ link: RowPointer, of join: EntityLayout, anyOf objects: Set<ManagedObjectID>
  ) -> Bool {
    join.properties.contains { end in
      let family = end.destination?.entity.family ?? []
      return family.contains {
        objects.contains(coordinator.id(link.slot(end.index), of: $0.entity))
      }
    }
  }

  private func restored(
    _ update: RowUpdate, of entity: EntityLayout, without cancelled: Set<ManagedObjectID>
  ) -> RowUpdate? {
    if update.nullified.isEmpty { return update }
    let kept = update.nullified.indices.filter { index in
      guard let family = entity.properties[index].destination?.entity.family else { return false }
      let key = update.base.slot(index)
      return family.contains { cancelled.contains(coordinator.id(key, of: $0.entity)) }
    }
    if kept.isEmpty { return update }
    return draft.without(kept, in: update, of: entity)
  }

  /// Deletions that a policy has cancelled, and all that the same layer has deleted with them: a
  /// cascade comes back as a whole.
  /// - Complexity: O(deletions).
  private func withCascades(_ cancelled: Set<ManagedObjectID>) -> Set<ManagedObjectID> {
    let neighbours = cascades
    var result = cancelled
    var rest = Array(cancelled)
    while let id = rest.popLast() {
      for other in neighbours[id] ?? [] where result.insert(other).inserted { rest.append(other) }
    }
    return result
  }

  /// The deleted objects of a layer, by the deleted object at the other end of a cascading
  /// relationship.
  private var cascades: [ManagedObjectID: [ManagedObjectID]] {
    var neighbours: [ManagedObjectID: [ManagedObjectID]] = [:]
    for set in draft.layer.changes.entities where !set.deleted.isEmpty {
      // A link stands between two objects of which one may have taken the other along.
      let isBridge =
        set.entity.isJoin && set.entity.digest.toOnes.contains { $0.ruleOfTarget == .cascade }
      for property in set.entity.digest.toOnes
      where isBridge || property.deleteRule == .cascade || property.ruleOfTarget == .cascade {
        for deletion in set.deleted where !deletion.base.isNull(property.index) {
          let key = deletion.base.slot(property.index)
          guard let other = deleted(key, through: property) else { continue }
          neighbours[coordinator.id(deletion.key, of: set.entity), default: []].append(other)
          neighbours[other, default: []].append(coordinator.id(deletion.key, of: set.entity))
        }
      }
    }
    return neighbours
  }

  private func deleted(_ key: Int64, through property: PropertyLayout) -> ManagedObjectID? {
    property.destination?.entity.family.lazy.map { coordinator.id(key, of: $0.entity) }.first {
      draft.layer.changes.change($0)?.kind == .deletion
    }
  }
}
