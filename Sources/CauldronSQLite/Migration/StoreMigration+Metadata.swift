import CauldronModel
import Foundation

/// What a store says of its entities and its model, said of the new ones.
extension StoreMigration {
  /// Writes numbers, names and hashes.
  func rewrite(_ metadata: StoreMetadata, _ mapping: ModelMapping) throws -> StoreMetadata {
    try rewriteKeys(mapping)
    var new = StoreMetadata(model: planned.model, identifier: metadata.identifier)
    if new.versionIdentifiers.isEmpty { new.versionIdentifiers = metadata.versionIdentifiers }
    let update = try Statement(
      connection.handle, "UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_UUID = ?")
    try update.bind([
      .blob(try new.propertyList(keeping: try propertyList())),
      .text(Array(metadata.identifier.utf8)),
    ])
    try update.run()
    try ModelCopy(connection: connection).write(planned.model)
    return new
  }

  private func propertyList() throws -> [UInt8] {
    let statement = try Statement(
      connection.handle, "SELECT Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    return try statement.step() ? statement.bytes(0) : []
  }

  /// The last keys by entity table: a table keeps those of the one that its rows are from.
  private func rewriteKeys(_ mapping: ModelMapping) throws {
    let statement = try Statement(
      connection.handle, "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16001")
    var greatest: [Int64: Int64] = [:]
    while try statement.step() { greatest[statement.integer(0)] = statement.integer(1) }
    statement.reset()
    try connection.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < 16001")
    let insert = try Statement(
      connection.handle, "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?,?,?,?)"
    )
    for layout in planned.model.entityLayouts {
      let roots = layout.family.compactMap { mapping.source(of: $0.entity)?.rootNumber }
      let last = layout.superentity == nil ? roots.compactMap { greatest[Int64($0)] }.max() : nil
      try insert.bind([
        .integer(Int64(layout.number)), .text(Array(layout.name.utf8)),
        .integer(Int64(layout.superentity?.number ?? 0)), .integer(last ?? 0),
      ])
      try insert.run()
    }
  }
}

extension StoreMetadata {
  /// The property list, with what others have written into the old one.
  func propertyList(keeping old: [UInt8]) throws -> [UInt8] {
    // A small list may stand for a tree of any size; what can be walked in bounds is read.
    guard var reader = PropertyListReader(old), reader.isBounded(reader.top),
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

extension PropertyListReader {
  /// Whether all objects, each counted as often as it is referred to, are as many as may be read.
  fileprivate mutating func isBounded(_ object: Int, depth: Int = 0) -> Bool {
    guard depth < 64 else { return false }
    if let dictionary = dictionary(object) {
      return dictionary.values.allSatisfy { isBounded($0, depth: depth + 1) }
    }
    if let array = array(object) { return array.allSatisfy { isBounded($0, depth: depth + 1) } }
    return true
  }
}
