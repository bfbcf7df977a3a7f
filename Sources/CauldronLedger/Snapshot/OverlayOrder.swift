import CauldronModel
package import CauldronQuery

/// Puts stored and pending rows in the order of a query, and cuts its window out.
struct OverlayOrder {
  private let query: StoreQuery
  private let matcher: QueryMatcher
  /// How many rows from the first one on can be needed.
  let last: Int
  /// Whether pending rows come after the stored ones.
  private let pendingComeLast: Bool

  init(_ query: StoreQuery, _ matcher: QueryMatcher) {
    self.query = query
    self.matcher = matcher
    last = query.last
    pendingComeLast = query.sort.isEmpty && !query.isByKey
  }

  /// The query for the store's rows, some of which may have to be hidden.
  func storeQuery(hiding count: Int) -> StoreQuery {
    var storeQuery = query
    storeQuery.offset = 0
    storeQuery.limit = query.limit.map { _ in last + count }
    return storeQuery
  }

  /// Whether no more stored rows can be needed than are left of those that the store was asked for.
  func isEnough(_ kept: RowSet, of stored: RowSet, hiding count: Int) -> Bool {
    kept.count >= last || stored.count - count < last
  }

  /// Whether the stored rows are all that is needed: without an order pending ones come after them.
  func isFull(_ stored: RowSet) -> Bool { pendingComeLast && stored.count >= last }

  /// How many pending rows can be needed beside the stored ones.
  func wanted(after stored: RowSet) -> Int {
    pendingComeLast ? last - stored.count : last
  }

  /// The rows that come first, in order.
  func first(_ most: Int, of rows: [RowPointer]) -> [RowPointer] {
    if query.sort.isEmpty {
      return rows.sorted { $0.key < $1.key }
    }
    guard most <= 256, rows.count > 2 * most else { return rows.sorted(by: matcher.precedes) }
    var result = rows.prefix(most).sorted(by: matcher.precedes)
    for row in rows.dropFirst(most) {
      guard let worst = result.last, matcher.precedes(row, worst) else { continue }
      result.removeLast()
      result.insert(row, at: result.firstIndex { matcher.precedes(row, $0) } ?? result.count)
    }
    return result
  }

  /// Both in order; pending rows are in order already.
  func merge(_ stored: RowSet, with pending: RowSet) -> RowSet {
    if pending.isEmpty { return stored }
    guard pendingComeLast || stored.isEmpty else {
      return stored.merged(with: pending, by: matcher.precedes)
    }
    var result = stored
    result.append(contentsOf: pending)
    return result
  }

  /// The rows from the query's offset on, up to its limit.
  func window(_ rows: RowSet) -> RowSet {
    let start = min(query.offset, rows.count)
    return rows[start..<max(start, min(last, rows.count))]
  }
}

extension StoreQuery {
  /// How many rows from the first one on can be needed: a number that can be added to another one.
  package var last: Int {
    func half(_ number: Int) -> Int { min(number, .max / 4) }
    return limit.map { half($0) + half(offset) } ?? .max
  }
}
