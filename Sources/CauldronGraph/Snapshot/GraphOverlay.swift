import CauldronModel

/// Lays pending changes over what the store answers, where other objects' rows decide, too.
///
/// The rows that a pending change may have turned are taken out of the store's answer and tried one
/// by one, as the context sees them; for all others the store is right.
struct GraphOverlay {
  private let query: StoreQuery
  private let snapshot: Snapshot
  private let matcher: GraphMatcher
  private let touched: Set<Int64>
  /// How many rows from the first one on can be needed.
  private let last: Int

  init(_ query: StoreQuery, _ reach: QueryReach, _ snapshot: Snapshot) throws {
    self.query = query
    self.snapshot = snapshot
    matcher = GraphMatcher(query, SnapshotSource(snapshot))
    touched = try ReachedKeys(snapshot).keys(reach)
    let half: (Int) -> Int = { min($0, .max / 4) }
    last = query.limit.map { half($0) + half(query.offset) } ?? .max
  }

  /// The rows that the chain's context sees.
  func fetch() throws -> RowSet {
    var storeQuery = query
    storeQuery.offset = 0
    storeQuery.limit = query.limit.map { _ in last + touched.count }
    let kept = try snapshot.reader.fetch(storeQuery).filter { !touched.contains($0.key) }
    let tried = try candidates()
    var all = kept
    all.append(contentsOf: tried)
    return try all.withRows { rows in
      var ordered = Array(rows)
      if query.sort.isEmpty {
        // Without an order pending rows come after the stored ones.
        ordered[kept.count...].sort { $0.key < $1.key }
      } else {
        ordered = try matcher.sort(ordered)
      }
      return RowSet(Array(query.page(ordered)), among: all.memory)
    }
  }

  /// How many rows the chain's context sees.
  func count() throws -> Int {
    var storeQuery = query
    storeQuery.offset = 0
    storeQuery.limit = nil
    storeQuery.sort = []
    let stored = try snapshot.reader.ids(storeQuery, storeNumber: 0)
    let all = stored.count { !touched.contains($0.key) } + (try candidates().count)
    let rest = max(0, all - query.offset)
    return query.limit.map { min($0, rest) } ?? rest
  }

  /// Those of the turned rows that the query selects.
  private func candidates() throws -> RowSet {
    let rows = try SnapshotSource(snapshot).rows(Array(touched), of: query.entity)
    return try rows.withRows { all in
      RowSet(try matcher.select(Array(all)), among: rows.memory)
    }
  }
}
