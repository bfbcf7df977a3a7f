import CauldronModel
import Foundation

/// Notices that another program has brought the store over to another model, or has restored a copy of
/// it, while it is open here.
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
    guard let now = try StoreMetadata.present(connection) else { return nil }
    let names = now.differences(from: schema.model)
    if names.isEmpty { return now.restoration == restoration ? nil : restored }
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

  /// Versions and keys of rows have gone back, so that neither tells what others have done meanwhile.
  private var restored: CauldronError {
    CauldronError(
      .storeFileGone,
      "Cannot use store \"\(file.path)\": another program has restored a copy of it while it was open"
        + " here.",
      hint: "Call Stack.cleanUp() and set the stack up again; what is unsaved is about the store"
        + " before."
    ).with { $0.path = file.path }
  }
}
