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

/// A store's rows alone.
package struct StoredRowSource: RowSource {
  private let reader: any StoreReader

  package init(_ reader: any StoreReader) { self.reader = reader }

  package func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    keys.isEmpty ? RowSet() : try reader.rows(keys, of: entity)
  }

  package func referrers(
    _ keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) throws -> RowSet {
    var query = StoreQuery(entity: entity)
    query.predicate = .refersTo(property, keys)
    return keys.isEmpty ? RowSet() : try reader.fetch(query)
  }
}
