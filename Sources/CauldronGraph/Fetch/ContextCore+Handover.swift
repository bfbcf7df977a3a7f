import CauldronModel
import CauldronQuery
import CauldronStore

extension ContextCore {
  /// The rows that a query selects, to be handed to another context.
  /// - Parameter includesPendingChanges: Whether unsaved changes of the chain decide, too.
  func fetchStorage(
    _ query: StoreQuery, includesPendingChanges: Bool
  ) throws -> FetchedStorage {
    publisher.publishForQuery()
    let storage = FetchedStorage(
      storeNumber: coordinator.storeNumber, coordinator.ledger.provisional)
    // Before the rows are read, so that no commit is missed.
    coordinator.results.add(storage)
    let entities = query.entityNumbers
    let (rows, chain) = try timed(query) {
      try withSettledKeys {
        let query = followed(query)
        return try coordinator.read(node) { snapshot in
          try (includesPendingChanges ? snapshot : snapshot.withoutLayers).fetch(query, &builder)
        }
      }
    } _: {
      $0.0.count
    }
    // The rows of the store are shown where nothing is pending, as its objects are.
    for layer in chain.layers {
      for set in layer.changes.entities where entities.contains(set.entity.number) {
        storage.outdate(set, unsaved: true)
      }
    }
    storage.fill(rows)
    return storage
  }
}
