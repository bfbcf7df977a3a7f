import CauldronModel
import CauldronQuery
import CauldronStore

extension ContextCore {
  /// The rows that a query selects, the pending changes of the whole chain included.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  func fetchRows(_ query: StoreQuery) throws -> RowSet {
    publisher.publishForQuery()
    let isShort = query.isPlain && query.limit.map { $0 <= 100 } ?? false
    let rows = try timed(query) {
      try withSettledKeys {
        let query = followed(query)
        return try coordinator.read(node, isShort: isShort) { try $0.fetch(query, &builder) }.0
      }
    } _: {
      $0.count
    }
    noticeOthers()
    return rows
  }

  /// The IDs of the objects that a query selects, the pending changes of the whole chain included.
  func fetchIDs(_ query: StoreQuery) throws -> [ManagedObjectID] {
    publisher.publishForQuery()
    let number = coordinator.storeNumber
    let ids = try timed(query) {
      try withSettledKeys {
        let query = followed(query)
        return try coordinator.read(node) { snapshot in
          try snapshot.ids(query, storeNumber: number, &builder)
        }.0
      }
    } _: {
      $0.count
    }
    noticeOthers()
    return ids
  }

  /// The IDs of the objects that a query selects in the store alone.
  func fetchCommittedIDs(_ query: StoreQuery) throws -> [ManagedObjectID] {
    publisher.publishForQuery()
    let number = coordinator.storeNumber
    return try withSettledKeys {
      let query = followed(query)
      return try coordinator.read(node) { snapshot in
        try snapshot.reader.ids(query, storeNumber: number)
      }.0
    }
  }

  /// How many objects a query selects, the pending changes of the whole chain included.
  func count(_ query: StoreQuery) throws -> Int {
    publisher.publishForQuery()
    return try timed(query) {
      try withSettledKeys {
        let query = followed(query)
        return try coordinator.read(node) { try $0.count(query, &builder) }.0
      }
    } _: {
      $0
    }
  }

  /// A query that names objects by the keys that they have now.
  func followed(_ query: StoreQuery) -> StoreQuery {
    query.followed(coordinator.ledger.provisional)
  }

  /// A value query that names objects by the keys that they have now.
  func followed(_ query: ValueQuery) -> ValueQuery {
    query.followed(coordinator.ledger.provisional)
  }
}

extension StoreQuery {
  /// The same for the keys that objects have now.
  func followed(_ keys: ProvisionalKeys) -> StoreQuery {
    guard keys.exchangeCount > 0 else { return self }
    return mappingKeys { key, entity in keys.final(key, entity.number) }
  }
}

extension ValueQuery {
  /// The same for the keys that objects have now.
  func followed(_ keys: ProvisionalKeys) -> ValueQuery {
    guard keys.exchangeCount > 0 else { return self }
    return mappingKeys { key, entity in keys.final(key, entity.number) }
  }
}
