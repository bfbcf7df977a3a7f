import CauldronModel

extension SQLiteReader {
  /// The rows of a query that is too large for a statement: the statement selects by what it has room
  /// for, and the rest is asked of its rows.
  /// - Returns: Nil where the statement has room for everything.
  /// - Complexity: One statement, and a test of each row that it finds.
  func filteredRows(_ query: StoreQuery) throws -> RowSet? {
    let split = PredicateSplit(query, try open().room)
    if split.inMemory == nil, split.sortsInSQL { return nil }
    var part = query
    part.predicate = split.inSQL
    part.limit = nil
    part.offset = 0
    if !split.sortsInSQL { part.sort = [] }
    let found = try fetch(part)
    if split.sortsInSQL {
      return try filter(found, split.inMemory, offset: query.offset, limit: query.limit ?? .max)
    }
    let all = try filter(found, split.inMemory)
    let matcher = GraphMatcher(query, StoredRowSource(self))
    return try all.withRows { rows in
      RowSet(Array(query.page(try matcher.sort(Array(rows)))), among: all.memory)
    }
  }

  /// Those of some rows for which a condition holds.
  private func filter(
    _ rows: RowSet, _ predicate: BoundPredicate?, offset: Int = 0, limit: Int = .max
  ) throws -> RowSet {
    guard let predicate else { return rows }
    if predicate.isPlain {
      return rows.filter(offset: offset, limit: limit, RowTest(predicate).matches)
    }
    let holds = try rows.withRows {
      try RowEvaluation(StoredRowSource(self)).holds(predicate, Array($0))
    }
    var rest = holds[...]
    return rows.filter(offset: offset, limit: limit) { _ in rest.removeFirst() }
  }
}
