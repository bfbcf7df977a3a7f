import CauldronModel

extension ContextCore {
  /// The rows that a query selects, to be handed to another context.
  func fetchStorage(_ query: StoreQuery) throws -> FetchedStorage {
    publish()
    let storage = FetchedStorage(
      storeNumber: coordinator.storeNumber, coordinator.ledger.provisional)
    // Before the rows are read, so that no commit is missed.
    coordinator.results.add(storage)
    let entities = query.entityNumbers
    let (rows, chain) = try timed(query.entity) {
      try withSettledKeys {
        let query = followed(query)
        return try coordinator.read(node) { try $0.fetch(query, &builder) }
      }
    } _: {
      $0.0.count
    }
    for layer in chain.layers {
      for set in layer.changes.entities where entities.contains(set.entity.number) {
        storage.outdate(set, unsaved: true)
      }
    }
    storage.fill(rows)
    return storage
  }
}
