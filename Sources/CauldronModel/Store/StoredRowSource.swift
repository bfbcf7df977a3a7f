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
