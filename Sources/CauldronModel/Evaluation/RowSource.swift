/// Where the evaluation of a condition finds the rows that others lead to.
package protocol RowSource {
  /// The rows with these keys, in no particular order; none for those that are neither of the
  /// entity nor of a subentity, or are gone.
  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet
  /// The rows of an entity whose to-one property leads to one of these keys.
  func referrers(
    _ keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) throws -> RowSet
}
