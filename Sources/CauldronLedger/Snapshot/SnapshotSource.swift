package import CauldronModel
import CauldronQuery
package import CauldronStore

/// The rows as a context sees them, for the evaluation of conditions.
package final class SnapshotSource: RowSource {
  private let snapshot: Snapshot
  private var builder = RowBuilder()

  package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  package func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    keys.isEmpty ? RowSet() : try snapshot.rows(keys, of: entity, builder: &builder)
  }

  /// Goes through what layers have changed of a row, oldest first.
  package func forEachChange(of key: Int64, entity: EntityLayout, body: (RowChange) -> Void) {
    let id = ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: 0)
    snapshot.chain.forEachChange(of: id, body: body)
  }

  package func referrers(
    _ keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) throws -> RowSet {
    if keys.isEmpty { return RowSet() }
    return try snapshot.fetch(.referrers(to: keys, by: property, of: entity), builder: &builder)
  }
}
