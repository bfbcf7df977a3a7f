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
    let update = try Statement(
      connection.handle, "UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_UUID = ?")
    try update.bind([
      .blob(try new.propertyList(keeping: try propertyList())),
      .text(Array(metadata.identifier.utf8)),
    ])
    try update.run()
    // What is not hashed is no reason to write.
    if !metadata.differences(from: planned.model).isEmpty {
      try ModelCopy(connection: connection).write(planned.model, mapping.describedEntities)
    }
    return new
  }

  private func propertyList() throws -> [UInt8] {
    let statement = try Statement(
      connection.handle, "SELECT Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    return try statement.step() ? statement.bytes(0) : []
  }

  /// The last keys by entity table: a table keeps those of the one that its rows are from.
  func rewriteKeys(_ mapping: ModelMapping) throws {
    let statement = try Statement(
      connection.handle, "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16001")
    var greatest: [Int64: Int64] = [:]
    while try statement.step() { greatest[statement.integer(0)] = statement.integer(1) }
    statement.reset()
    try connection.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < 16001")
    try connection.insertEntities(of: planned.model) { root in
      let roots = root.family.compactMap { mapping.source(of: $0.entity)?.rootNumber }
      return roots.compactMap { greatest[Int64($0)] }.max() ?? 0
    }
  }
}

extension StoreMetadata {
  /// The property list, with what others have written into the old one.
  func propertyList(keeping old: [UInt8]) throws -> [UInt8] {
    // A small list may stand for a tree of any size, of which Foundation would make each object.
    var most = 100_000
    guard var reader = try? PropertyListReader(old), reader.isTree(reader.top, of: &most),
      let list = try PropertyListSerialization.propertyList(
        from: Data(old), options: [], format: nil) as? [String: Any],
      let own = try PropertyListSerialization.propertyList(
        from: Data(propertyList()), options: [], format: nil) as? [String: Any]
    else { return try propertyList() }
    let all = list.merging(own) { $1 }
    return [UInt8](
      try PropertyListSerialization.data(fromPropertyList: all, format: .binary, options: 0))
  }
}
