import CauldronModel

/// The rows of a fetch as the context sees them, with their memory.
struct FetchedRows {
  var rows: [RowPointer]
  var blocks: [RowBlock]

  func ids(_ storeNumber: Int32) -> [ManagedObjectID] {
    rows.map {
      ManagedObjectID(key: $0.key, entityNumber: $0.entityNumber, storeNumber: storeNumber)
    }
  }
}
