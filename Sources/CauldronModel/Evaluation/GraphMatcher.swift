/// Selects and orders rows by what other objects have, too.
package struct GraphMatcher {
  private let query: StoreQuery
  private let source: any RowSource

  package init(_ query: StoreQuery, _ source: any RowSource) {
    self.query = query
    self.source = source
  }

  /// The rows that the query selects, as they come.
  package func select(_ rows: [RowPointer]) throws -> [RowPointer] {
    let numbers = query.entityRange
    let own = rows.filter { numbers.contains($0.entityNumber) }
    guard let predicate = query.predicate else { return own }
    let holds = try RowEvaluation(source).holds(predicate, own)
    return zip(own, holds).filter(\.1).map(\.0)
  }

  /// The rows by the sort keys, then by ascending row key.
  package func sort(_ rows: [RowPointer]) throws -> [RowPointer] {
    let evaluation = RowEvaluation(source)
    let columns = try query.sort.map { try evaluation.values($0.expression, rows) }
    let decimals = query.sort.map { $0.expression.kind == .decimal }
    let order = rows.indices.sorted { a, b in
      for (position, key) in query.sort.enumerated() {
        let order = ScalarOrder.order(
          columns[position][a], columns[position][b], isDecimal: decimals[position])
        if order != 0 { return (order < 0) == key.ascending }
      }
      return rows[a].key < rows[b].key
    }
    return order.map { rows[$0] }
  }
}
