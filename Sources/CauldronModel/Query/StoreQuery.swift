/// A fetch as stores take it: resolved, checked, and free of contexts.
package struct StoreQuery: Sendable {
  package let entity: EntityLayout
  package var includesSubentities = true
  package var predicate: BoundPredicate?
  package var sort: [SortKey] = []
  /// The most rows to return; nil for all.
  package var limit: Int?
  package var offset = 0
  /// Whether rows without an order come by their keys, pending ones among the others; if not,
  /// pending ones come last.
  package var isByKey = false

  package init(entity: EntityLayout) { self.entity = entity }

  /// What to sort by; nil comes first when ascending, and equal rows stay in key order.
  package struct SortKey: Sendable {
    package let expression: BoundExpression
    package let ascending: Bool

    package init(_ expression: BoundExpression, ascending: Bool) {
      self.expression = expression
      self.ascending = ascending
    }

    package init(property: PropertyLayout, ascending: Bool) {
      self.init(.attribute(property), ascending: ascending)
    }

    /// The row's own attribute; nil where more has to be known.
    package var property: PropertyLayout? { expression.property }
  }

  /// Whether a row alone tells if it is selected, and which of two comes first.
  package var isPlain: Bool {
    (predicate?.isPlain ?? true) && sort.allSatisfy { $0.property != nil }
  }

  /// The numbers of the concrete entities that it may return.
  package var entityNumbers: Set<Int32> {
    includesSubentities ? Set(entity.family.map(\.entity.number)) : [entity.number]
  }
}
