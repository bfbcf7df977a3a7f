import CauldronModel

extension SQLiteReader {
  /// The rows of a query whose predicate is too large for a statement: the statement selects by
  /// what it has room for, and the rest is asked of its rows.
  /// - Returns: Nil where the statement has room for everything.
  /// - Complexity: One statement, and a test of each row that it finds.
  func filteredRows(_ query: StoreQuery) throws -> RowList? {
    let split = PredicateSplit(query.predicate)
    guard let rest = split.inMemory else { return nil }
    var part = query
    part.predicate = split.inSQL
    part.limit = nil
    part.offset = 0
    let list = try fetch(part)
    let test = RowTest(rest)
    return withExtendedLifetime(list) {
      let rows = list.rows.lazy.filter(test.matches).dropFirst(max(0, query.offset))
      return RowList(rows: Array(rows.prefix(max(0, query.limit ?? .max))), blocks: list.blocks)
    }
  }
}
