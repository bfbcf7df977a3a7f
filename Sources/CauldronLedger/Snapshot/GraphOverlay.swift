import CauldronModel
import CauldronQuery
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
