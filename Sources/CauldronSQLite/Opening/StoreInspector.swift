internal import CSQLite
import CauldronArchive
import CauldronModel
import CauldronModelFile
import Foundation

/// Looks at a file before anything is written to it or beside it.
struct StoreInspector {
  /// What a file turned out to be.
  enum Finding {
    /// Missing, without a byte, or left by a creation that was interrupted.
    case empty
    case store(StoreMetadata, Follower?)
  }

  /// What else follows the changes of a store, and would miss those that are made here.
  struct Follower {
    let table: String
    /// Whether it is CloudKit, and not the history alone.
    let isCloud: Bool
  }

  let file: StoreFile
  let busyTimeout: Double
  var isReadOnly = false

  /// Reads header and metadata; costs three statements.
  /// - Throws: `store.notADatabase`, `store.foreignDatabase`, `store.corrupt` or what SQLite said.
  func inspect() throws -> Finding {
    try file.undisturbed(within: busyTimeout) {
      if Connection.isLogAlone(at: file.path) { throw Self.cutOff(file) }
      guard let size = file.size, size > 0 else { return .empty }
      return try Self.describing(try connection(), of: file)
    }
  }

  /// Looks at a file that has to be a store.
  /// - Throws: `store.cannotOpen` where there is none, and what inspecting throws.
  static func store(
    at file: StoreFile
  ) throws -> (inspector: StoreInspector, metadata: StoreMetadata) {
    let inspector = StoreInspector(file: file, busyTimeout: 5, isReadOnly: true)
    do {
      guard file.url.isFileURL, case .store(let metadata, _) = try inspector.inspect() else {
        throw file.error("there is no store.", hint: "Check the path.")
      }
      return (inspector, metadata)
    } catch let failure as SQLiteFailure {
      throw FailureReport(failure, file, SQLiteStoreOptions()).opening()
    }
  }

  /// Reads the metadata, and says of what is no database that it is none.
  static func describing(_ connection: Connection, of file: StoreFile) throws -> Finding {
    do {
      return try read(connection, of: file)
    } catch let failure as SQLiteFailure where failure.primary == SQLITE_NOTADB {
      throw notADatabase(file, code: failure.code)
    }
  }

  /// The columns of all tables, by the names of both, with their declared types.
  func tables() throws -> [String: [String: String]] {
    let connection = try connection()
    let statement = try Statement(
      connection.handle,
      "SELECT m.name, c.name, c.type FROM sqlite_master AS m, pragma_table_info(m.name) AS c"
        + " WHERE m.type = 'table'")
    var tables: [String: [String: String]] = [:]
    while try statement.step() {
      tables[statement.text(0).uppercased(), default: [:]][statement.text(1).uppercased()] =
        statement.text(2).uppercased()
    }
    return tables
  }

  /// A connection that only reads.
  func connection() throws -> Connection {
    let connection = try Connection(path: file.path, mode: mode, busyTimeout: busyTimeout)
    try connection.configureDefences()
    return connection
  }

  /// A file without log and journal is complete in itself and is read without locks, so that
  /// nothing appears beside it; a log is read through SQLite, a journal must be rolled back.
  private var mode: Connection.Mode {
    if file.hasJournal { return isReadOnly ? .readOnly : .readWrite }
    return file.hasLog ? .readOnly : .immutable
  }

  /// Reads the metadata through an open connection.
  static func read(_ connection: Connection, of file: StoreFile) throws -> Finding {
    if try isUnfinished(connection, of: file) { return .empty }
    let tables = try connection.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
        + " AND name IN ('Z_METADATA', 'Z_PRIMARYKEY')")
    guard tables == 2 else { throw foreign(file) }
    let statement = try Statement(
      connection.handle,
      "SELECT Z_UUID, CASE WHEN length(Z_PLIST) <= \(PropertyListReader.longest) THEN Z_PLIST END"
        + " FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    guard try statement.step() else { throw foreign(file) }
    guard
      let metadata = StoreMetadata(
        identifier: statement.text(0), propertyList: statement.bytes(1))
    else {
      throw CauldronError(
        .storeCorrupt,
        "Cannot open store \"\(file.path)\": its metadata are not a property list with version"
          + " hashes, or one that is nested too deeply.",
        hint: "Restore a copy with `cauldron restore`."
      ).with { $0.path = file.path }
    }
    if metadata.versionHashes.isEmpty { try checkUnused(connection, of: file) }
    return .store(metadata, try follower(connection))
  }

  /// Metadata without hashes are those of a model without entities, which has no rows.
  private static func checkUnused(_ connection: Connection, of file: StoreFile) throws {
    let count = try connection.integer("SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_ENT < 16001") ?? 0
    if count == 0 { return }
    throw CauldronError(
      .storeCorrupt,
      "Cannot open store \"\(file.path)\": its metadata have no version hashes, and Z_PRIMARYKEY has"
        + " \(count) entities.", hint: "Restore a copy with `cauldron restore`."
    ).with { $0.path = file.path }
  }

  /// Core Data's tables of its history, and of its mirroring with CloudKit.
  private static func follower(_ connection: Connection) throws -> Follower? {
    let statement = try Statement(
      connection.handle,
      "SELECT name, name GLOB 'ANSCK*' AS cloud FROM sqlite_master WHERE type = 'table' AND"
        + " (name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING') OR name GLOB 'ANSCK*')"
        + " ORDER BY cloud DESC, name LIMIT 1")
    guard try statement.step() else { return nil }
    return Follower(table: statement.text(0), isCloud: statement.integer(1) != 0)
  }

  /// Whether the file is what an interrupted creation leaves: no bytes, or a first page that knows
  /// of incremental vacuum and of nothing else.
  private static func isUnfinished(_ connection: Connection, of file: StoreFile) throws -> Bool {
    if try connection.integer("PRAGMA page_count") == 0 {
      guard file.size == 0 else { throw notADatabase(file, code: SQLITE_NOTADB) }
      return true
    }
    for (question, answer) in [
      ("SELECT count(*) FROM sqlite_master", 0), ("PRAGMA auto_vacuum", 2),
      ("PRAGMA user_version", 0), ("PRAGMA application_id", 0),
    ] {
      if try connection.integer(question) != Int64(answer) { return false }
    }
    return true
  }

  private static func notADatabase(_ file: StoreFile, code: Int32) -> CauldronError {
    CauldronError(
      .storeNotADatabase,
      "Cannot open store \"\(file.path)\": the file is not a SQLite database"
        + " (16-byte header differs). The file was not changed."
    ).with {
      $0.path = file.path
      $0.sqliteCode = code
    }
  }

  private static func cutOff(_ file: StoreFile) -> CauldronError {
    CauldronError(
      .storeCorrupt,
      "Cannot open store \"\(file.path)\": the file is cut off, and its log is not.",
      hint: "Put the file back that belongs to the log, or move the log away to begin anew."
    ).with {
      $0.path = file.path
      $0.sqliteCode = SQLITE_CORRUPT
    }
  }

  private static func foreign(_ file: StoreFile) -> CauldronError {
    CauldronError(
      .storeForeignDatabase,
      "Cannot open store \"\(file.path)\": it is a SQLite database without object-store metadata."
    ).with { $0.path = file.path }
  }
}
