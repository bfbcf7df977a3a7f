/// A query prepared for many rows: selects and orders them without allocating.
package struct QueryMatcher: Sendable {
  private let entityNumbers: ClosedRange<Int32>
  let predicate: BoundPredicate?
  let test: RowTest?
  private let sort: [SortStep]

  private struct SortStep {
    let value: RowValue
    let ascending: Bool
  }

  /// Compiles the predicate and the sort keys of a query, which must be plain; see `GraphMatcher`.
  package init(_ query: StoreQuery) {
    assert(query.isPlain, "A row alone does not answer the query.")
    entityNumbers = query.entityRange
    predicate = query.predicate
    test = query.predicate.map(RowTest.init)
    sort = query.sort.compactMap { key in
      key.property.map { SortStep(value: RowValue($0), ascending: key.ascending) }
    }
  }

  /// Whether a row is of an entity that the query asks for and its predicate holds.
  package func selects(_ row: RowPointer) -> Bool {
    entityNumbers.contains(row.entityNumber) && (test?.matches(row) ?? true)
  }

  /// Whether `a` comes before `b`: by the sort keys, then by ascending row key.
  package func precedes(_ a: RowPointer, _ b: RowPointer) -> Bool {
    for step in sort {
      let order = step.value.order(a, b)
      if order != 0 { return (order < 0) == step.ascending }
    }
    return a.key < b.key
  }
}
