internal import CSQLite
import Foundation

/// One SQLite connection with its statement cache; used by one thread at a time.
///
/// It is opened without SQLite's own mutex (https://www.sqlite.org/threadsafe.html): the pool and
/// the writer's lock see to it that no two threads meet.
class Connection {
  enum Mode {
    /// Reads a file that nobody writes, and touches nothing beside it.
    case immutable
    case readOnly
    case readWrite
    case create
  }

  let handle: OpaquePointer
  /// How long a lock is waited for, in seconds.
  let busyTimeout: Double
  private var statements = StatementCache(limit: 64)
  /// What triggers have touched.
  let touched = TouchedRows()
  /// Reports the statements, where somebody wants to know.
  var tracer: StatementTracer?
  /// The state of the file that the connection has told of; 0 for none.
  var seenVersion: UInt32 = 0
  /// The number of the file's schema whose tables are known to be the model's; -1 for none.
  var knownSchema: Int64 = -1
  /// The state of the file in which that was found; the greatest number for none.
  var checkedVersion = UInt32.max
  /// What the connection takes of a statement.
  private(set) lazy var room = findRoom()
  /// The bytes that a page takes in the write-ahead log; nil where that cannot be read.
  private(set) lazy var frameSize = (try? integer("PRAGMA page_size")).map { $0 + 24 }

  init(path: String, mode: Mode, busyTimeout: Double) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(Self.name(path, mode), &opened, Self.flags(mode), nil)
    guard code == SQLITE_OK, let opened else {
      let failure = SQLiteFailure(code: code, opened)
      sqlite3_close_v2(opened)
      throw failure
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    self.busyTimeout = BusyTimeout.bounded(busyTimeout)
    sqlite3_busy_timeout(handle, Int32(self.busyTimeout * 1000))
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// The cached statement for a text.
  func statement(_ sql: String) throws -> Statement {
    if let cached = statements[sql] { return cached }
    let made = try Statement(handle, sql)
    statements.insert(made, for: sql)
    return made
  }

  /// The cached statement for a fragment's text, with the fragment's values bound.
  func bound(_ fragment: SQLFragment) throws -> Statement {
    let statement = try statement(fragment.text)
    try statement.bind(fragment.values)
    return statement
  }

  /// Ends the statements that are kept.
  func forgetStatements() { statements.removeAll() }

  /// Runs a statement that returns nothing, keeping it for the next time.
  func run(_ sql: String) throws {
    let statement = try statement(sql)
    defer { statement.reset() }
    while try statement.step() {}
  }

  /// Runs a statement once.
  func execute(_ sql: String) throws {
    let statement = try Statement(handle, sql)
    while try statement.step() {}
  }

  /// The first cell of a statement that is run once.
  func integer(_ sql: String) throws -> Int64? {
    let statement = try Statement(handle, sql)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.integer(0)
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
  /// The most parameters that a statement may have (https://www.sqlite.org/limits.html).
  var mostParameters: Int { Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)) }
  /// The rows that the last statement itself changed; what triggers did is not counted.
  var changes: Int { Int(sqlite3_changes(handle)) }
  /// Whether the file could only be opened for reading.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Undoes the open transaction, if SQLite has not done so itself.
  func rollbackQuietly() {
    if isInTransaction { try? run("ROLLBACK") }
  }

  private static func flags(_ mode: Mode) -> Int32 {
    let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    switch mode {
    case .immutable: return common | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    case .readOnly: return common | SQLITE_OPEN_READONLY
    case .readWrite: return common | SQLITE_OPEN_READWRITE
    case .create: return common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
  }

  /// The path, or its URI where a parameter is needed (https://www.sqlite.org/uri.html).
  private static func name(_ path: String, _ mode: Mode) -> String {
    guard case .immutable = mode else { return path }
    let plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: " "..."~"))
      .union(CharacterSet(charactersIn: "/._-"))
    let escaped = path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
    return "file:\(escaped)?mode=ro&immutable=1"
  }
}
