import CauldronModel
import CauldronModelFile
import Foundation

extension StoreMetadata {
  /// The identity and the hashes that a store has now; nil where it has none that can be read.
  static func present(_ connection: Connection) throws -> StoreMetadata? {
    let statement = try Statement(
      connection.handle, "SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    guard try statement.step() else { return nil }
    return StoreMetadata(identifier: statement.text(0), propertyList: statement.bytes(1))
  }

  /// Writes the property list, with what others have written into the old one.
  func write(_ connection: Connection) throws {
    let statement = try Statement(
      connection.handle, "SELECT Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    let old = try statement.step() ? statement.bytes(0) : []
    statement.reset()
    let update = try Statement(
      connection.handle, "UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_UUID = ?")
    try update.bind([.blob(try propertyList(keeping: old)), .text(Array(identifier.utf8))])
    try update.run()
  }

  /// The property list, with what others have written into the old one.
  func propertyList(keeping old: [UInt8]) throws -> [UInt8] {
    // A small list may stand for a tree of any size, of which Foundation would make each object.
    var most = 100_000
    guard var reader = try? PropertyListReader(old), reader.isShallow(),
      reader.isTree(reader.top, of: &most),
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
