import CauldronModel

extension ContextCore {
  /// The rows that a query selects, the pending changes of the whole chain included.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  func fetchRows(_ query: StoreQuery) throws -> RowSet {
    publish()
    let isShort = query.limit.map { $0 <= 100 } ?? false
    let rows = try withSettledKeys {
      let query = followed(query)
      return try coordinator.read(node, isShort: isShort) { try $0.fetch(query, &builder) }.0
    }
    noticeOthers()
    return rows
  }

  /// The IDs of the objects that a query selects, the pending changes of the whole chain included.
  func fetchIDs(_ query: StoreQuery) throws -> [ManagedObjectID] {
    publish()
    let number = coordinator.storeNumber
    let ids = try withSettledKeys {
      let query = followed(query)
      return try coordinator.read(node) { snapshot in
        try snapshot.ids(query, storeNumber: number, &builder)
      }.0
    }
    noticeOthers()
    return ids
  }

  /// How many objects a query selects, the pending changes of the whole chain included.
  func count(_ query: StoreQuery) throws -> Int {
    publish()
    return try withSettledKeys {
      let query = followed(query)
      return try coordinator.read(node) { try $0.count(query, &builder) }.0
    }
  }

  /// A query whose condition names objects by the keys that they have now.
  func followed(_ query: StoreQuery) -> StoreQuery {
    let keys = coordinator.ledger.provisional
    guard keys.exchangeCount > 0, let predicate = query.predicate else { return query }
    var query = query
    query.predicate = predicate.mappingKeys { key, property in
      keys.final(key, (property?.destination?.entity ?? query.entity).number)
    }
    return query
  }
}
