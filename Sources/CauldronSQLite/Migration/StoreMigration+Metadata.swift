import CauldronModel
import CauldronModelFile
import Foundation

/// What a store says of its entities and its model, said of the new ones.
extension StoreMigration {
  /// Writes numbers, names and hashes.
  func rewrite(
    _ metadata: StoreMetadata, _ mapping: ModelMapping, _ steps: MigrationPlan.Selection
  ) throws -> StoreMetadata {
    var new = StoreMetadata(model: planned.model, identifier: metadata.identifier)
    if new.versionIdentifiers.isEmpty { new.versionIdentifiers = metadata.versionIdentifiers }
    new.steps = metadata.steps + steps.unrecorded
    new.restoration = metadata.restoration
    try new.write(connection)
    // What is not hashed is no reason to write.
    if !metadata.differences(from: planned.model).isEmpty {
      try ModelCopy(connection: connection).write(planned.model, mapping.describedEntities)
    }
    return new
  }

  /// The last keys by entity table: a table keeps those of the one that its rows are from.
  func rewriteKeys(_ mapping: ModelMapping, _ source: StoreSchema?) throws {
    // Rows beyond those of Core Data's history stay, unless they are those of entities.
    let own = source.map { " OR Z_ENT IN (\($0.numberList($0.model.entityLayouts)))" } ?? ""
    let condition = "Z_ENT < 16001\(own)"
    let statement = try Statement(
      connection.handle, "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY WHERE \(condition)")
    var greatest: [Int64: Int64] = [:]
    while try statement.step() { greatest[statement.integer(0)] = statement.integer(1) }
    statement.reset()
    try connection.execute("DELETE FROM Z_PRIMARYKEY WHERE \(condition)")
    try connection.insertEntities(of: planned) { root in
      let roots = root.family.compactMap { mapping.source(of: $0.entity)?.root }
      return roots.compactMap { greatest[Int64(source?.number(of: $0) ?? $0.number)] }.max() ?? 0
    }
  }
}
