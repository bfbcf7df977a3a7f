import CauldronModel

extension SQLiteReader {
  /// The rows of a query whose predicate is too large for a statement: the statement selects by
  /// what it has room for, and the rest is asked of its rows.
  /// - Returns: Nil where the statement has room for everything.
  /// - Complexity: One statement, and a test of each row that it finds.
  func filteredRows(_ query: StoreQuery) throws -> RowSet? {
    let split = PredicateSplit(query.predicate)
    guard let rest = split.inMemory else { return nil }
    var part = query
    part.predicate = split.inSQL
    part.limit = nil
    part.offset = 0
    let found = try fetch(part)
    guard rest.isPlain else {
      // Sorting by many expressions may be too much by itself, but is not split.
      let holds = try found.withRows {
        try RowEvaluation(StoredRowSource(self)).holds(rest, Array($0))
      }
      var kept = holds[...]
      return found.filter(offset: query.offset, limit: query.limit ?? .max) { _ in
        kept.removeFirst()
      }
    }
    return found.filter(
      offset: query.offset, limit: query.limit ?? .max, RowTest(rest).matches)
  }
}
