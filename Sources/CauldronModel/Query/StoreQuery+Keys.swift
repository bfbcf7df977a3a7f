extension StoreQuery {
  /// The same query with other keys in the place of those that its condition and its order name.
  /// - Parameter key: Called with a key, and the entity of the object that has it.
  package func mappingKeys(_ key: (Int64, EntityLayout) -> Int64) -> StoreQuery {
    var copy = self
    copy.predicate = predicate?.mappingKeys(of: entity, key)
    copy.sort = sort.map { $0.mappingKeys(of: entity, key) }
    return copy
  }
}

extension StoreQuery.SortKey {
  fileprivate func mappingKeys(
    of entity: EntityLayout, _ key: (Int64, EntityLayout) -> Int64
  ) -> StoreQuery.SortKey {
    StoreQuery.SortKey(expression.mappingKeys(of: entity, key), ascending: ascending)
  }
}

extension ValueQuery {
  /// The same query with other keys in the place of all that it names.
  /// - Parameter key: Called with a key, and the entity of the object that has it.
  package func mappingKeys(_ key: (Int64, EntityLayout) -> Int64) -> ValueQuery {
    let entity = rows.entity
    var copy = self
    copy.rows = rows.mappingKeys(key)
    copy.columns = columns.map { $0.mappingKeys(of: entity, key) }
    copy.groups = groups?.map { $0.mappingKeys(of: entity, key) }
    copy.having = having?.mappingKeys(of: entity, key)
    copy.order = order.map { $0.mappingKeys(of: entity, key) }
    return copy
  }
}
