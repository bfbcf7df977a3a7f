import Foundation
import SystemSQLite

struct RawFailure: Error {
  let code: Int32
  let message: String
}

/// The C API, used as an expert would: no mutex, prepared statements, the same pragmas as ours.
final class RawDatabase {
  let handle: OpaquePointer

  /// - Parameter cache: Kibibytes; ours has 32,768 for writing and 16,384 for reading.
  init(_ url: URL, cache: Int = 32_768) throws {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(url.path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else { throw RawFailure(code: code, message: "open") }
    handle = opened
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = FULL")
    try execute("PRAGMA cache_size = -\(cache)")
  }

  deinit { sqlite3_close_v2(handle) }

  func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  func prepare(_ sql: String) throws -> RawStatement {
    var made: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil))
    guard let made else { throw RawFailure(code: SQLITE_ERROR, message: "prepare") }
    return RawStatement(made, self)
  }

  func transaction(_ work: () throws -> Void) throws {
    try execute("BEGIN IMMEDIATE")
    try work()
    try execute("COMMIT")
  }

  fileprivate func check(_ code: Int32) throws {
    guard code != SQLITE_OK, code != SQLITE_DONE else { return }
    throw RawFailure(code: code, message: String(cString: sqlite3_errmsg(handle)))
  }
}

/// A prepared statement, which keeps its connection open.
final class RawStatement {
  let pointer: OpaquePointer
  let database: RawDatabase

  init(_ pointer: OpaquePointer, _ database: RawDatabase) {
    self.pointer = pointer
    self.database = database
  }

  deinit { sqlite3_finalize(pointer) }

  /// Runs a statement that returns nothing, and makes it ready for the next time.
  func run() throws {
    let code = sqlite3_step(pointer)
    sqlite3_reset(pointer)
    if code != SQLITE_DONE { try database.check(code == SQLITE_ROW ? SQLITE_ERROR : code) }
  }
}
