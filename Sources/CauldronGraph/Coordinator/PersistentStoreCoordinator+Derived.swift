import CauldronModel

// What the store computes comes with no change set, and under the same version: it has to be read.
extension PersistentStoreCoordinator {
  /// Has everybody read rows anew that the store has changed in a commit, of which no more is known than
  /// their keys.
  func outdate(_ rows: [(entity: EntityLayout, keys: [Int64])]) {
    for (entity, keys) in rows {
      ledger.noteCommitted(.rows(entity, keys))
      cache.outdate(keys, root: entity.rootNumber)
      results.outdate(keys, root: entity.rootNumber)
    }
  }

  /// Has rows read anew that were written by somebody who may have known older derived values.
  func outdateDerived(_ set: EntityChanges) {
    let derived = set.entity.digest.derived
    guard !derived.isEmpty else { return }
    let inserted = set.inserted.filter { row in
      derived.contains { row.isNull($0) || row.slot($0) != 0 }
    }
    let keys = set.updated.map(\.row.key) + inserted.map(\.key)
    if !keys.isEmpty { outdate([(set.entity, keys)]) }
  }
}
