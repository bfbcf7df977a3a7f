/// Where a page of a fetch has ended: what the last row is sorted by, and its key.
package struct PageEnd: Sendable {
  package let values: [AttributeScalar]
  package let key: Int64

  package init(values: [AttributeScalar], key: Int64) {
    self.values = values
    self.key = key
  }
}

extension StoreQuery {
  /// The same query for what comes behind a row in its order, whatever was inserted or deleted before it
  /// meanwhile.
  package func following(_ end: PageEnd) -> StoreQuery {
    var query = self
    query.offset = 0
    let place = Self.place(zip(sort, end.values).map { ($0, $1) }[...], end.key)
    query.predicate = predicate.map { .and([$0, place]) } ?? place
    return query
  }

  private static func place(
    _ keys: ArraySlice<(key: SortKey, value: AttributeScalar)>, _ last: Int64
  ) -> BoundPredicate {
    guard let (key, value) = keys.first else { return .isAfter(last) }
    let rest = place(keys.dropFirst(), last)
    switch (key.ascending, value.isNull) {
    case (true, true): return .or([.not(key.isNil), .and([key.isNil, rest])])
    case (false, true): return .and([key.isNil, rest])
    // The first condition says nothing new, but an index serves it.
    case (true, false):
      return .and([
        key.compared(.greaterOrEqual, value), .or([key.compared(.greater, value), rest]),
      ])
    case (false, false):
      return .or([
        key.isNil,
        .and([key.compared(.lessOrEqual, value), .or([key.compared(.less, value), rest])]),
      ])
    }
  }
}

extension StoreQuery.SortKey {
  fileprivate var isNil: BoundPredicate {
    if let property { return .isNull(property) }
    return .compare(expression, .equal, .constant(.null))
  }

  fileprivate func compared(
    _ comparison: PredicateNode.ComparisonOperator, _ value: AttributeScalar
  ) -> BoundPredicate {
    if let property { return .comparison(property, comparison, value) }
    guard expression.kind == .decimal, case .text(let text) = value else {
      return .compare(expression, comparison, .constant(value))
    }
    return .compare(expression, comparison, .decimal(text))
  }
}
