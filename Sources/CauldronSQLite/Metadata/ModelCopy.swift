package import CauldronModel
package import CauldronModelFile
import Foundation

/// The copy of its model that a store has in Core Data's form, in `Z_MODELCACHE`.
///
/// It holds names that tables and hashes lack; by them a changed model finds its former entities
/// and properties. Whether it is right shows by the hashes.
struct ModelCopy {
  let connection: Connection

  /// The longest copy that is read.
  private static let longest = 1 << 22

  /// Whether the store has a copy, right or not.
  var isThere: Bool {
    get throws {
      try connection.integer(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'Z_MODELCACHE'") == 1
    }
  }

  /// Whether another program has written the copy: Core Data compresses it, which is not done here.
  var isForeign: Bool {
    get throws {
      guard try isThere else { return false }
      // The first bits of a block that is stored as it is (RFC 1951, 3.2.3).
      let own = try connection.integer(
        "SELECT count(*) FROM Z_MODELCACHE WHERE hex(substr(Z_CONTENT, 1, 1)) IN ('00', '01')")
      return own == 0
    }
  }

  /// The model, if its hashes are those of the store.
  func read(_ metadata: StoreMetadata) throws -> ManagedObjectModel? {
    guard let stored = try content(), let model = try? stored.model() else { return nil }
    // What descriptions cannot say has columns, too, which a migration would leave behind.
    return metadata.differences(from: model).isEmpty ? model : nil
  }

  /// What the copy says, whatever the hashes are; nil where there is none that can be read.
  func content() throws -> StoredModel? {
    guard try isThere else { return nil }
    let statement = try Statement(
      connection.handle,
      "SELECT Z_CONTENT FROM Z_MODELCACHE WHERE length(Z_CONTENT) <= \(Self.longest) LIMIT 1")
    return try statement.step() ? try? StoredModel(cache: statement.bytes(0)) : nil
  }

  /// Writes the copy, in the transaction of the caller.
  /// - Parameter entities: What is written of the entities; nil for what the model says.
  func write(_ model: ManagedObjectModel, with entities: [EntityDescription]? = nil) throws {
    let stored = StoredModel(
      entities: entities ?? model.entities, versionIdentifiers: model.versionIdentifiers)
    // Anew even where it is there: this changes the number of the schema, by which programs with
    // the store open learn that they should check its model.
    try connection.execute("DROP TABLE IF EXISTS Z_MODELCACHE")
    try connection.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    let insert = try Statement(
      connection.handle, "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)")
    try insert.bind([.blob(stored.cache())])
    try insert.run()
  }
}

extension StoredModel {
  /// The model that the descriptions make.
  /// - Throws: `model.invalid` where they contradict one another, or leave out what was not understood.
  package func model(name: String = "Model") throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: entities, name: name, versionIdentifiers: versionIdentifiers)
  }
}
