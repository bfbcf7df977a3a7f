internal import CSQLite
import CauldronModel
import CauldronQuery
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
    if Self.isLogAlone(at: path) {
      throw SQLiteFailure(code: SQLITE_CORRUPT, message: "the file is cut off, and its log is not")
    }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(Self.name(for: path, mode: mode), &opened, Self.flags(mode), nil)
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

  /// Whether a file was cut off, and its log was not. SQLite takes a file of one byte for an empty one, and
  /// deletes the log of such a file as soon as somebody reads: all that is left of the store.
  static func isLogAlone(at path: String) -> Bool {
    var (file, log) = (stat(), stat())
    return stat(path, &file) == 0 && file.st_size <= 1 && stat(path + "-wal", &log) == 0
      && log.st_size > 0
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

  /// Does what is to wait for no lock of the file.
  func withoutWaiting<R>(_ body: () throws -> R) rethrows -> R {
    sqlite3_busy_timeout(handle, 0)
    defer { sqlite3_busy_timeout(handle, Int32(busyTimeout * 1000)) }
    return try body()
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
  private static func name(for path: String, mode: Mode) -> String {
    guard case .immutable = mode else { return path }
    let plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: " "..."~"))
      .union(CharacterSet(charactersIn: "/._-"))
    let escaped = path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
    return "file:\(escaped)?mode=ro&immutable=1"
  }
}

extension Connection {
  /// Guards against hostile files (https://www.sqlite.org/security.html); costs two statements.
  func configureDefences() throws {
    _ = cauldron_sqlite_db_config_bool(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = cauldron_sqlite_db_config_bool(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    try execute("PRAGMA cell_size_check = ON")
    // A mapped page of a file that shrinks would raise SIGBUS (https://www.sqlite.org/mmap.html).
    try execute("PRAGMA mmap_size = 0")
  }

  /// Switches the file to a write-ahead log, without which readers would wait for each save.
  ///
  /// SQLite tells by its answer, and by nothing else, that it has not
  /// (https://www.sqlite.org/wal.html#activating_and_configuring_wal_mode). Nor does it wait for
  /// another connection that reads or makes the file at the moment, so this is done here.
  func requireLog() throws {
    let end = ContinuousClock.now + .seconds(busyTimeout)
    while true {
      do {
        return try switchToLog()
      } catch let failure as SQLiteFailure
        where failure.primary == SQLITE_BUSY && ContinuousClock.now < end
      {
        usleep(5_000)
      }
    }
  }

  private func switchToLog() throws {
    let statement = try Statement(handle, "PRAGMA journal_mode = WAL")
    let mode = try statement.step() ? statement.text(0) : "unknown"
    if mode != "wal" { throw LogRefusal(mode: mode) }
  }

  /// Limits the size of the file in pages; nil takes the limit away.
  func setMaxPageCount(_ count: Int?) throws {
    try execute("PRAGMA max_page_count = \(count ?? 0xFFFF_FFFE)")
  }
}

/// A file that cannot have a write-ahead log.
struct LogRefusal: Error {
  /// The journal mode that it has instead.
  let mode: String
}

extension Connection {
  /// Whether what the connection has met was changed by another connection since the tables were last
  /// known to be the model's. It tells what the last statement has met; nothing is read.
  @inline(__always)
  var hasMetChange: Bool { fileVersion != checkedVersion }

  /// The state of the file that the last statement has met.
  private var fileVersion: UInt32 {
    var version: UInt32 = 0
    // https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntldataversion
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  /// A number that changes with the tables of the file; costs one statement.
  func schemaVersion() throws -> Int64 {
    let statement = try statement("PRAGMA schema_version")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Notes that the tables are the model's in the state that the last statement has met.
  func noteChecked(_ schema: Int64) {
    knownSchema = schema
    checkedVersion = fileVersion
  }
}

extension Connection {
  /// Whether what the connection reads was changed by another connection, of whatever process, since
  /// this was asked last. It tells what the last statement has met; nothing is read.
  func takeSeenChange() -> Bool {
    var version: UInt32 = 0
    // https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntldataversion
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    defer { seenVersion = version }
    return version != seenVersion
  }

  /// A number that changes when another connection has written; costs one statement, which takes a
  /// lock for reading.
  func dataVersion() throws -> Int64 {
    let statement = try statement("PRAGMA data_version")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }
}

/// The rows that triggers have touched since somebody asked last, as they tell by two functions.
///
/// One connection has it, which one thread at a time uses.
final class TouchedRows {
  /// The keys, by the number of the row's entity.
  private var keys: [Int64: Set<Int64>] = [:]

  func note(entity: Int64, key: Int64) { keys[entity, default: []].insert(key) }

  func forget() {
    if !keys.isEmpty { keys = [:] }
  }

  /// The keys in ascending order.
  func take() -> [(entity: Int64, keys: [Int64])] {
    defer { forget() }
    return keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted()) }
  }
}

extension Connection {
  /// After how many steps of a statement somebody looks whether it was cancelled: in some microseconds.
  private static let steps: Int32 = 1_000

  /// Runs statements that end when they are cancelled.
  ///
  /// The statement asks the flag of its own read, so that none of another read can be met: interrupting a
  /// connection would meet whatever runs there by then (https://www.sqlite.org/c3ref/interrupt.html).
  /// - Throws: `CancellationError` where that was so.
  func run<R>(until cancellation: Cancellation, _ body: () throws -> R) throws -> R {
    try cancellation.check()
    sqlite3_progress_handler(
      handle, Self.steps,
      { flag in
        guard let flag else { return 0 }
        return Unmanaged<Cancellation>.fromOpaque(flag)._withUnsafeGuaranteedRef {
          $0.isCancelled ? 1 : 0
        }
      }, Unmanaged.passUnretained(cancellation).toOpaque())
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    do {
      return try body()
    } catch let failure as SQLiteFailure
      where failure.primary == SQLITE_INTERRUPT && cancellation.isCancelled
    {
      throw CancellationError()
    }
  }
}

/// The seconds to wait for a lock, as SQLite can take them.
enum BusyTimeout {
  /// The greatest number of whole seconds whose milliseconds SQLite can count: 24 days.
  static let longest = 2_147_483.0

  /// The nearest number of seconds that SQLite can wait; none at all where it is not a number.
  static func bounded(_ seconds: Double) -> Double {
    seconds.isNaN ? 0 : min(max(seconds, 0), longest)
  }
}

/// What a connection takes of a statement (https://www.sqlite.org/limits.html).
package struct StatementRoom: Sendable, Hashable {
  /// The most parameters.
  package var parameters: Int
  /// The most expressions within one another.
  package var depth: Int

  package init(parameters: Int, depth: Int) {
    self.parameters = parameters
    self.depth = depth
  }

  /// What SQLite takes unless it is built otherwise.
  static let standard = StatementRoom(parameters: 32_766, depth: 1_000)

  /// So many conditions stand beside one another before parentheses gather them: a chain of ANDs is
  /// a level of depth for each.
  var chainLength: Int { depth >= 500 ? 32 : 4 }
}

extension Connection {
  /// Takes less than SQLite would; for tests.
  func narrow(_ room: StatementRoom) {
    sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, Int32(room.parameters))
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, Int32(room.depth))
  }

  /// What the connection takes by now.
  func findRoom() -> StatementRoom {
    StatementRoom(
      parameters: Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)),
      depth: Int(sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, -1)))
  }
}
