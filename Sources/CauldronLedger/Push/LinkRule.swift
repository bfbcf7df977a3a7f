import CauldronModel
import CauldronQuery
import CauldronStore

/// Keeps the links of many-to-many relationships whose ends exist.
///
/// Links are no edits that could conflict: to insert an existing link or delete a missing one
/// changes nothing; and a link goes with the first of its ends, in whichever save. A layer has all
/// link changes of its save, even where other saves have the same: these may fail.
struct LinkRule: PushRule {
  let draft: PushDraft

  /// The links, but for those to objects that are gone.
  func linked(_ set: EntityChanges) -> EntityChanges {
    // An object mostly has many links, and is looked for once.
    let ends = set.entity.properties
    var answers: [[Int64: Bool]] = Array(repeating: [:], count: ends.count)
    var unknown: [CauldronError] = []
    let inserted = set.inserted.filter { link in
      ends.indices.allSatisfy { end in
        let key = link.slot(end)
        if let answer = answers[end][key] { return answer }
        let answer = isThere(key, at: ends[end])
        answers[end][key] = answer
        if !answer, let error = dependency(on: key, ends[end]) { unknown.append(error) }
        return answer
      }
    }
    if inserted.count == set.inserted.count { return set }
    draft.conflicts += unknown
    draft.isNoticed = true
    return EntityChanges(
      entity: set.entity, inserted: inserted, updated: set.updated, deleted: set.deleted)
  }

  /// Whether the object at an end of a link exists, as far as anybody knows.
  private func isThere(_ key: Int64, at end: PropertyLayout) -> Bool {
    guard let entity = end.destination?.entity else { return false }
    for entity in entity.family.map(\.entity) {
      if draft.layer.changes.change(coordinator.id(key, of: entity))?.kind == .insertion {
        return true
      }
      if let newest = receiver.chain.newest(coordinator.id(key, of: entity)) {
        return newest.kind != .deletion
      }
    }
    if receiver.isDeleted(key, of: entity) { return false }
    return !coordinator.keys.isUncommitted(key, root: entity.rootNumber)
  }

  /// Why a link must not be dropped although there is no object at an end: it may be on its way, and nobody
  /// has deleted it. Nil where that cannot be.
  private func dependency(on key: Int64, _ end: PropertyLayout) -> CauldronError? {
    guard let root = end.destination?.entity.root,
      coordinator.keys.isUncommitted(key, root: root.number)
    else { return nil }
    let ids = root.family.map { coordinator.id(key, of: $0.entity) }
    if ids.contains(where: { receiver.chain.newest($0) != nil }) { return nil }
    guard receiver.isHeldSomewhere(ids), let entity = end.destination?.entity
    else { return nil }
    return .dependency(of: entity, id: coordinator.id(key, of: entity))
  }

  /// Takes away the links above that lead to objects which the layer deletes.
  /// - Returns: Whether there are any.
  func addUnlinked(_ sets: inout [EntityChanges]) -> Bool {
    var isChanged = false
    var unlinked: [Int32: (EntityLayout, [RowDeletion])] = [:]
    for set in sets where !set.deleted.isEmpty {
      for join in set.entity.digest.relationships.compactMap(\.join) {
        let links = links(of: set.deleted.map(\.key), join)
        if links.isEmpty { continue }
        unlinked[join.entity.number, default: (join.entity, [])].1 += links
      }
    }
    for (join, links) in unlinked.values {
      let own = sets.firstIndex { $0.entity === join }
      let set = own.map { sets[$0] }
      let known = Set(set?.deleted.map(\.key) ?? [])
      let more = links.filter { !known.contains($0.key) }
      if more.isEmpty { continue }
      isChanged = true
      let all = EntityChanges(
        entity: join, inserted: set?.inserted ?? [], updated: set?.updated ?? [],
        deleted: (set?.deleted ?? []) + more)
      if let own { sets[own] = all } else { sets.append(all) }
    }
    return isChanged
  }

  /// The links of some objects that the layers above make.
  private func links(
    of keys: [Int64], _ join: PropertyLayout.Join
  ) -> [RowDeletion] {
    let number = join.entity.number
    guard receiver.chain.touches([number]) else { return [] }
    let near = join.entity.properties[join.near]
    let values = keys.map { AttributeScalar.integer($0) }
    var seen: Set<Int64> = []
    var result: [RowDeletion] = []
    for set in receiver.chain.sets(of: StoreQuery(entity: join.entity)) {
      for key in set.keys(where: near, in: values) ?? [] where seen.insert(key).inserted {
        switch receiver.chain.newest(coordinator.id(key, of: join.entity)) {
        case .inserted(let row): result.append(RowDeletion(base: row))
        case .updated(let update): result.append(RowDeletion(base: update.row))
        case .deleted, nil: continue
        }
      }
    }
    return result
  }
}
