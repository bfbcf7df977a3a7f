import CauldronModel

/// The rows as a context sees them, for the evaluation of conditions.
final class SnapshotSource: RowSource {
  private let snapshot: Snapshot
  private var builder = RowBuilder()

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    keys.isEmpty ? RowSet() : try snapshot.rows(keys, of: entity, &builder)
  }

  func referrers(
    _ keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) throws -> RowSet {
    keys.isEmpty ? RowSet() : try snapshot.walk(keys, by: property, of: entity, &builder)
  }
}
