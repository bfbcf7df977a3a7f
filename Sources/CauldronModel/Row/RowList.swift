/// Rows in the order of a fetch, with the memory that they lie in.
package struct RowList: Sendable {
  package var rows: [RowPointer]
  package var blocks: [RowBlock]

  package init(rows: [RowPointer] = [], blocks: [RowBlock] = []) {
    self.rows = rows
    self.blocks = blocks
  }

  /// The IDs of the rows.
  package func ids(_ storeNumber: Int32) -> [ManagedObjectID] {
    withExtendedLifetime(self) {
      rows.map {
        ManagedObjectID(key: $0.key, entityNumber: $0.entityNumber, storeNumber: storeNumber)
      }
    }
  }
}
