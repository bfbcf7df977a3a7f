/// A fetch as stores take it: resolved, checked, and free of contexts.
package struct StoreQuery: Sendable {
  package let entity: EntityLayout
  package var includesSubentities = true
  package var predicate: BoundPredicate?
  package var sort: [SortKey] = []
  /// The most rows to return; nil for all.
  package var limit: Int?
  package var offset = 0

  package init(entity: EntityLayout) { self.entity = entity }

  /// An attribute to sort by; nil comes first when ascending, and equal rows stay in key order.
  package struct SortKey: Sendable {
    package let property: PropertyLayout
    package let ascending: Bool

    package init(property: PropertyLayout, ascending: Bool) {
      self.property = property
      self.ascending = ascending
    }
  }

  /// The numbers of the concrete entities that it may return.
  package var entityNumbers: Set<Int32> {
    includesSubentities ? Set(entity.family.map(\.entity.number)) : [entity.number]
  }
}
