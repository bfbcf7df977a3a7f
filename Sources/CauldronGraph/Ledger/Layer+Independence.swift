import CauldronModel

extension Layer {
  /// Whether it makes no difference which of two layers comes first, this one or the one that follows:
  /// they touch other rows, neither refers to what the other one touches, and no unique value goes from
  /// one to the other.
  /// - Complexity: O(rows · log rows).
  func isIndependent(of next: Layer) -> Bool {
    let (small, large) = changes.count < next.changes.count ? (self, next) : (next, self)
    return small.forEachKey { key, entity in !large.changes.touches(key, entity) }
      && !refers(to: next) && !next.refers(to: self) && !next.takesValues(from: self)
  }

  /// Whether `body` is true for all rows that the layer touches.
  private func forEachKey(_ body: (Int64, EntityLayout) -> Bool) -> Bool {
    changes.entities.allSatisfy { set in
      set.inserted.allSatisfy { body($0.key, set.entity) }
        && set.changedKeys.allSatisfy { body($0, set.entity) }
    }
  }

  /// Whether a reference, new or given up, or a link leads to what another layer touches.
  private func refers(to other: Layer) -> Bool {
    let isReferred = !other.forEachKey { key, entity in
      entity.isJoin || !targets.contains(key, root: entity.rootNumber)
    }
    return isReferred
      || changes.entities.contains { set in
        if !set.entity.isJoin { return set.leaves { other.changes.touches($0, $1) } }
        return (set.inserted + set.deleted.map(\.base)).contains { other.ends($0, set.entity) }
      }
  }

  /// Whether it touches an object at an end of a link.
  private func ends(_ link: RowPointer, _ join: EntityLayout) -> Bool {
    join.properties.contains { end in
      guard let entity = end.destination?.entity else { return false }
      return changes.touches(link.slot(end.index), entity)
    }
  }

  /// Whether unique values are given to rows that another layer has taken from others.
  private func takesValues(from other: Layer) -> Bool {
    let freed = other.uniqueValues { $0.freeing($1) }
    return !freed.isEmpty && !freed.isDisjoint(with: uniqueValues { $0.taking($1) })
  }

  private func uniqueValues(
    _ rows: (EntityChanges, UniqueKey) -> [RowPointer]
  ) -> Set<UniqueValues> {
    var values: Set<UniqueValues> = []
    for set in changes.entities where !set.entity.uniqueKeys.isEmpty {
      for key in set.entity.uniqueKeys {
        let value = UniqueValue(key)
        for row in rows(set, key) {
          guard let scalars = value.values(of: row) else { continue }
          values.insert(UniqueValues(scalars, of: key, in: set.entity))
        }
      }
    }
    return values
  }
}

extension EntityChanges {
  /// Whether a reference that is given up has led to an object for which `isMeant` is true.
  fileprivate func leaves(_ isMeant: (Int64, EntityLayout) -> Bool) -> Bool {
    entity.digest.toOnes.contains { property in
      guard let target = property.destination?.entity else { return false }
      func isLeft(_ base: RowPointer) -> Bool {
        !base.isNull(property.index) && isMeant(base.slot(property.index), target)
      }
      return deleted.contains { isLeft($0.base) }
        || updated.contains { $0.changed.contains(property.index) && isLeft($0.base) }
    }
  }

  /// The rows that have values of a key no more, as they were.
  fileprivate func freeing(_ key: UniqueKey) -> [RowPointer] {
    moving(key).map(\.base) + deleted.map(\.base)
  }

  /// The rows that get values of a key, as they are then.
  fileprivate func taking(_ key: UniqueKey) -> [RowPointer] { inserted + moving(key).map(\.row) }

  private func moving(_ key: UniqueKey) -> [RowUpdate] {
    updated.filter { !$0.changed.intersection(key.set).isEmpty }
  }
}

extension ChangeSet {
  /// Whether something is done to a row of a hierarchy.
  fileprivate func touches(_ key: Int64, _ entity: EntityLayout) -> Bool {
    entities.contains { $0.entity.rootNumber == entity.rootNumber && $0.change(key) != nil }
  }
}
