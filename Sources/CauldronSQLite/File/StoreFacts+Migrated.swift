import CauldronModel
import Foundation

/// Notices that another program has brought the store over to another model while it is open here.
///
/// What was planned for the old tables would read nonsense and write what others take for nonsense: the
/// numbers of entities, for instance, are others. Each migration changes the number of the file's
/// schema; so do harmless things, such as an index that is made, and the hashes tell these apart.
extension StoreFacts {
  /// Checks the tables if another connection has written since they were last known to be the model's;
  /// must come right after what read or before what writes.
  ///
  /// Costs nothing where nobody has written, else one statement; two more where the schema has changed.
  /// - Throws: `store.incompatibleModel`, and what SQLite says.
  @inline(__always)
  func checkTables(_ connection: Connection) throws {
    if connection.hasMetChange { try recheckTables(connection) }
  }

  /// Checks the tables of a connection that is new.
  func checkNew(_ connection: Connection) throws {
    connection.knownSchema = schemaVersion
    try recheckTables(connection)
  }

  @inline(never)
  private func recheckTables(_ connection: Connection) throws {
    let now = try connection.schemaVersion()
    if now != connection.knownSchema, let error = try migrated(connection) { throw error }
    connection.noteChecked(now)
  }

  /// Why a statement failed, if it is that the tables are others by now.
  func reasonOfFailure(_ connection: Connection) -> CauldronError? {
    connection.hasMetChange ? (try? migrated(connection)) ?? nil : nil
  }

  private func migrated(_ connection: Connection) throws -> CauldronError? {
    let names = try StoreMetadata.hashes(connection)?.differences(from: schema.model) ?? []
    if names.isEmpty { return nil }
    let shown = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
    return CauldronError(
      .storeIncompatibleModel,
      "Cannot use store \"\(file.path)\": another program has migrated it to another version of the"
        + " model while it was open here; entities that differ: \(shown).",
      hint: "Restart this program with the new version of the model."
    ).with {
      $0.path = file.path
      $0.entity = names.first
    }
  }
}

extension StoreMetadata {
  /// The identity and the hashes that a store has now; nil where it has none that can be read.
  static func hashes(_ connection: Connection) throws -> StoreMetadata? {
    let statement = try Statement(
      connection.handle, "SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    guard try statement.step() else { return nil }
    return StoreMetadata(identifier: statement.text(0), propertyList: statement.bytes(1))
  }
}
