internal import CSQLite
import CauldronModel
import Foundation

/// Looks at a file before anything is written to it or beside it.
struct StoreInspector {
  /// What a file turned out to be.
  enum Finding {
    /// Missing, or without a single page.
    case empty
    case store(StoreMetadata)
  }

  let file: StoreFile
  let busyTimeout: Double

  /// Reads header and metadata; costs three statements.
  /// - Throws: `store.notADatabase`, `store.foreignDatabase`, `store.corrupt` or what SQLite said.
  func inspect() throws -> Finding {
    guard let size = file.size, size > 0 else { return .empty }
    do {
      let connection = try Connection(path: file.path, mode: mode, busyTimeout: busyTimeout)
      try connection.configureDefences()
      return try Self.read(connection, file)
    } catch let failure as SQLiteFailure where failure.primary == SQLITE_NOTADB {
      throw CauldronError(
        .storeNotADatabase,
        "Cannot open store \"\(file.path)\": the file is not a SQLite database"
          + " (16-byte header differs). The file was not changed."
      ).with {
        $0.path = file.path
        $0.sqliteCode = failure.code
      }
    }
  }

  /// A file without log and journal is complete in itself and is read without locks, so that
  /// nothing appears beside it; a log is read through SQLite, a journal must be rolled back.
  private var mode: Connection.Mode {
    if file.hasJournal { return .readWrite }
    return file.hasLog ? .readOnly : .immutable
  }

  /// Reads the metadata through an open connection.
  static func read(_ connection: Connection, _ file: StoreFile) throws -> Finding {
    if try connection.integer("PRAGMA page_count") == 0 { return .empty }
    let tables = try connection.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
        + " AND name IN ('Z_METADATA', 'Z_PRIMARYKEY')")
    guard tables == 2 else { throw foreign(file) }
    let statement = try Statement(
      connection.handle, "SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    guard try statement.step() else { throw foreign(file) }
    guard
      let metadata = StoreMetadata(
        identifier: statement.text(0), propertyList: statement.bytes(1))
    else {
      throw CauldronError(
        .storeCorrupt,
        "Cannot open store \"\(file.path)\": its metadata are not a property list with version"
          + " hashes.", hint: "Run `cauldron verify`."
      ).with { $0.path = file.path }
    }
    return .store(metadata)
  }

  private static func foreign(_ file: StoreFile) -> CauldronError {
    CauldronError(
      .storeForeignDatabase,
      "Cannot open store \"\(file.name)\": it is a SQLite database without object-store metadata."
    ).with { $0.path = file.path }
  }
}
