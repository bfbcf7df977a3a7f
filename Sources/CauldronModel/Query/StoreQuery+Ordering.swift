extension StoreQuery {
  /// Whether `a` comes before `b`: by the sort keys, then by ascending row key.
  package func precedes(_ a: RowPointer, _ b: RowPointer) -> Bool {
    for key in sort {
      guard let property = key.property else { continue }
      let order = RowValue(property).order(a, b)
      if order != 0 { return (order < 0) == key.ascending }
    }
    return a.key < b.key
  }

  /// Whether a row is of an entity that the query asks for and its predicate holds.
  ///
  /// This compiles the predicate anew; for many rows make one `QueryMatcher`.
  package func selects(_ row: RowPointer) -> Bool {
    entityRange.contains(row.entityNumber) && (predicate?.matches(row) ?? true)
  }

  /// The numbers of the concrete entities that it may return, which follow one another.
  var entityRange: ClosedRange<Int32> {
    let last = includesSubentities ? (entity.family.last?.entity.number ?? entity.number) : 0
    return entity.number...max(entity.number, last)
  }
}
