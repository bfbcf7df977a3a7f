import CauldronModel
package import CauldronQuery
import CauldronStore

/// Lays pending changes over what the store answers, where other objects' rows decide, too.
///
/// The rows that a pending change may have turned are left out of the question to the store, and are
/// tried one by one, as the context sees them; for all others the store is right.
struct GraphOverlay {
  private let query: StoreQuery
  private let snapshot: Snapshot
  private let matcher: GraphMatcher
  private let touched: TouchedRows
  private let hasSums: Bool

  /// - Parameter showsRows: Whether the rows are wanted, and not only which they are.
  init(
    _ query: StoreQuery, _ reach: QueryReach, _ snapshot: Snapshot, showsRows: Bool
  ) throws {
    self.query = query
    self.snapshot = snapshot
    matcher = GraphMatcher(query, SnapshotSource(snapshot))
    touched = try ReachedKeys(snapshot).rows(reach, showsRows: showsRows)
    hasSums = reach.hasSums
  }

  /// The rows that the chain's context sees.
  func fetch() throws -> RowSet {
    let kept = try snapshot.reader.fetch(storeQuery(query.limit.map { _ in query.last }))
    // Without an order pending rows come after the stored ones.
    let pendingComeLast = query.sort.isEmpty && !query.isByKey
    if pendingComeLast, kept.count >= query.last {
      return kept.withRows { RowSet(Array(query.page(Array($0))), among: kept.memory) }
    }
    var all = kept
    all.append(contentsOf: try candidates())
    return try all.withRows { rows in
      var ordered = Array(rows)
      if pendingComeLast {
        ordered[kept.count...].sort { $0.key < $1.key }
      } else {
        ordered = try matcher.sort(ordered)
      }
      return RowSet(Array(query.page(ordered)), among: all.memory)
    }
  }

  /// How many rows the chain's context sees; with a limit the store counts no further than it has
  /// to.
  func count() throws -> Int {
    let pending = try candidates().count
    let most = query.limit.map { _ in max(0, query.last - pending) }
    var asked = storeQuery(most)
    asked.sort = []
    let stored = most == 0 ? 0 : try snapshot.reader.count(asked)
    let rest = max(0, stored + pending - query.offset)
    return query.limit.map { min($0, rest) } ?? rest
  }

  /// The question to the store: for so many of the rows that no pending change has touched.
  private func storeQuery(_ limit: Int?) -> StoreQuery {
    var asked = query
    asked.offset = 0
    asked.limit = limit
    if touched.storedKeys.isEmpty, !hasSums { return asked }
    var nodes: [BoundPredicate] = []
    if let predicate = hasSums ? query.predicate?.sparing(touched) : query.predicate {
      if case .and(let list) = predicate { nodes = list } else { nodes = [predicate] }
    }
    if !touched.storedKeys.isEmpty { nodes.append(.not(.isSelf(touched.storedKeys))) }
    asked.predicate = nodes.isEmpty ? nil : .and(nodes)
    if hasSums {
      asked.sort = query.sort.map { key in
        StoreQuery.SortKey(key.expression.sparing(touched), ascending: key.ascending)
      }
    }
    return asked
  }

  /// Those of the turned rows that the query selects.
  private func candidates() throws -> RowSet {
    let rows = try SnapshotSource(snapshot).rows(Array(touched.keys), of: query.entity)
    return try rows.withRows { all in
      RowSet(try matcher.select(Array(all)), among: rows.memory)
    }
  }
}

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

  /// Such rows of a query's entity, and of those that it follows relationships to.
  /// - Parameter showsRows: Whether all changed rows of the entity itself are among them.
  /// - Complexity: O(changed rows, and rows that lead to them); a few statements for each step.
  func rows(_ reach: QueryReach, showsRows: Bool) throws -> TouchedRows {
    var result = changed(reach, isWhole: showsRows)
    for branch in reach.branches {
      let below = try rows(branch.reach, showsRows: false)
      let led = try referrers(below.keys, through: branch.property, of: reach.entity)
      result.keys.formUnion(led)
      result.storedKeys.formUnion(led)
      result.branches.append((branch.property, below))
    }
    return result
  }

  /// Rows that are changed themselves: new and deleted ones, and those of which a property changed
  /// that matters.
  private func changed(_ reach: QueryReach, isWhole: Bool) -> TouchedRows {
    var result = TouchedRows()
    let chain = snapshot.chain
    for set in chain.sets(of: StoreQuery(entity: reach.entity)) {
      for row in set.inserted { result.keys.insert(row.key) }
      for update in set.updated where isWhole || reach.isConcerned(by: update) {
        result.storedKeys.insert(update.row.key)
      }
      for deletion in set.deleted { result.storedKeys.insert(deletion.key) }
    }
    if chain.mayRepeatRows || chain.sharesKeys { result.storedKeys.formUnion(result.keys) }
    result.keys.formUnion(result.storedKeys)
    return result
  }

  /// The rows that a relationship leads from to one of these, in the store or in the context.
  private func referrers(
    _ keys: Set<Int64>, through property: PropertyLayout, of entity: EntityLayout
  ) throws -> Set<Int64> {
    if keys.isEmpty, property.join == nil { return [] }
    if property.kind == .toOne {
      return Set(try stored.referrers(keys, by: property, of: entity).map(\.key))
    }
    guard let destination = property.destination else { return [] }
    if let join = property.join { return try linked(keys, by: join) }
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

  private func linked(_ keys: Set<Int64>, by join: PropertyLayout.Join) throws -> Set<Int64> {
    var result: Set<Int64> = []
    let far = join.entity.properties[join.far]
    try stored.referrers(keys, by: far, of: join.entity).walk { result.insert($0.slot(join.near)) }
    for set in snapshot.chain.sets(of: StoreQuery(entity: join.entity)) {
      set.forEachVersion { result.insert($0.slot(join.near)) }
    }
    return result
  }
}

extension QueryReach {
  /// Whether a change to a row of the entity changes a property that matters.
  fileprivate func isConcerned(by update: RowUpdate) -> Bool {
    !update.brought(among: properties).isEmpty
  }
}

extension LayerChain {
  /// Whether a layer changes something that a query asks for.
  /// - Parameter showsRows: Whether all that changes in rows of the query's own entity counts.
  /// - Complexity: O(changed rows) at most.
  package func concerns(_ reach: QueryReach, showsRows: Bool) -> Bool {
    let isOwn = sets(of: StoreQuery(entity: reach.entity)).contains { set in
      !set.inserted.isEmpty || !set.deleted.isEmpty || showsRows && !set.updated.isEmpty
        || set.updated.contains(where: reach.isConcerned)
    }
    return isOwn
      || reach.branches.contains { branch in
        branch.property.join.map { touches([$0.entity.number]) } ?? false
          || concerns(branch.reach, showsRows: false)
      }
  }
}
