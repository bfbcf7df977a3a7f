import CauldronModel

// Links are no edits that could conflict: whoever makes one that is there, or takes away one that is
// not, finds what he wants; and a link goes with the first of its ends, whoever deletes that.
extension PushCheck {
  /// The links that are still to be made, and those that are still to be taken away.
  mutating func linked(_ set: EntityChanges, _ layer: Layer) -> EntityChanges {
    let inserted = set.inserted.filter { link in
      switch chain.newest(id(link.key, set.entity))?.kind {
      case .insertion, .update: false
      case .deletion, nil: set.entity.properties.allSatisfy { isThere(link, $0, layer) }
      }
    }
    let deleted = set.deleted.filter {
      chain.newest(id($0.key, set.entity))?.kind != .deletion
    }
    let updated = set.updated.filter {
      chain.newest(id($0.row.key, set.entity))?.kind != .deletion
    }
    if inserted.count == set.inserted.count, updated.count == set.updated.count,
      deleted.count == set.deleted.count
    {
      return set
    }
    isNoticed = true
    return EntityChanges(entity: set.entity, inserted: inserted, updated: updated, deleted: deleted)
  }

  /// Whether the object at an end of a link exists, as far as anybody knows.
  private func isThere(_ link: RowPointer, _ end: PropertyLayout, _ layer: Layer) -> Bool {
    guard let entity = end.destination?.entity else { return false }
    let key = link.slot(end.index)
    for entity in entity.family.map(\.entity) {
      if layer.changes.change(id(key, entity))?.kind == .insertion { return true }
      if let newest = chain.newest(id(key, entity)) { return newest.kind != .deletion }
    }
    if isDeleted(key, entity) { return false }
    return !coordinator.keys.isUncommitted(key, entity.rootNumber)
  }

  /// Takes away the links that others have made above to what the layer deletes.
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
    guard chain.touches([number]) else { return [] }
    let near = join.entity.properties[join.near]
    let values = keys.map { AttributeScalar.integer($0) }
    var seen: Set<Int64> = []
    var result: [RowDeletion] = []
    for set in chain.sets(of: StoreQuery(entity: join.entity)) {
      for key in set.keys(where: near, in: values) ?? [] where seen.insert(key).inserted {
        guard case .inserted(let row)? = chain.newest(id(key, join.entity)) else { continue }
        result.append(RowDeletion(base: row))
      }
    }
    return result
  }
}
