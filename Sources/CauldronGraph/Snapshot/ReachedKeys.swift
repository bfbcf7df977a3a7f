import CauldronModel

/// Finds the rows whose part in a query pending changes may have turned: the changed ones, and those
/// that lead to a changed one, however many steps away.
///
/// Rows are followed back against the direction of the query's paths. Wherever a row leads elsewhere
/// than in the store, it is itself among the changed ones; so the store's references lead to all
/// others.
struct ReachedKeys {
  private let snapshot: Snapshot
  private let source: SnapshotSource
  private let stored: StoredRowSource

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    source = SnapshotSource(snapshot)
    stored = StoredRowSource(snapshot.reader)
  }

  /// The keys of such rows of a query's entity.
  /// - Complexity: O(changed rows, and rows that lead to them); a few statements for each step.
  func keys(_ reach: QueryReach) throws -> Set<Int64> {
    var result = changed(reach.entity)
    for branch in reach.branches {
      let below = try keys(branch.reach)
      result.formUnion(try referrers(below, branch.property, of: reach.entity))
    }
    return result
  }

  private func changed(_ entity: EntityLayout) -> Set<Int64> {
    var result: Set<Int64> = []
    for set in snapshot.chain.sets(of: StoreQuery(entity: entity)) {
      for row in set.inserted { result.insert(row.key) }
      for update in set.updated { result.insert(update.row.key) }
      for deletion in set.deleted { result.insert(deletion.key) }
    }
    return result
  }

  /// The rows that a relationship leads from to one of these, in the store or in the context.
  private func referrers(
    _ keys: Set<Int64>, _ property: PropertyLayout, of entity: EntityLayout
  ) throws -> Set<Int64> {
    if property.kind == .toOne {
      return Set(try stored.referrers(keys, by: property, of: entity).map(\.key))
    }
    guard let destination = property.destination else { return [] }
    if let join = property.join { return try linked(keys, join) }
    let inverse = destination.entity.properties[destination.inverse]
    var result: Set<Int64> = []
    for rows in [
      try stored.rows(Array(keys), of: destination.entity),
      try source.rows(Array(keys), of: destination.entity),
    ] {
      rows.walk { row in
        if !row.isNull(inverse.index) { result.insert(row.slot(inverse.index)) }
      }
    }
    return result
  }

  private func linked(_ keys: Set<Int64>, _ join: PropertyLayout.Join) throws -> Set<Int64> {
    var result: Set<Int64> = []
    let far = join.entity.properties[join.far]
    try stored.referrers(keys, by: far, of: join.entity).walk { result.insert($0.slot(join.near)) }
    for set in snapshot.chain.sets(of: StoreQuery(entity: join.entity)) {
      for row in set.inserted { result.insert(row.slot(join.near)) }
      for update in set.updated {
        result.insert(update.row.slot(join.near))
        result.insert(update.base.slot(join.near))
      }
      for deletion in set.deleted { result.insert(deletion.base.slot(join.near)) }
    }
    return result
  }
}
