internal import CSQLite
import CauldronModel
import Foundation

/// A prepared statement; finalized with its last reference.
final class Statement {
  let handle: OpaquePointer
  private let connection: OpaquePointer

  init(_ connection: OpaquePointer, _ sql: String) throws {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw SQLiteFailure(code: code, connection) }
    handle = prepared
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Goes to the next row; false at the end.
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw SQLiteFailure(code: code, connection)
  }

  /// Makes the statement ready to run again; the bindings stay.
  func reset() { sqlite3_reset(handle) }

  /// Runs a statement that returns no rows, and makes it ready to run again.
  func run() throws {
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      let failure = SQLiteFailure(code: code, connection)
      sqlite3_reset(handle)
      throw failure
    }
    sqlite3_reset(handle)
  }

  /// Forgets the values, so that no pointer to memory of others is kept.
  func clearBindings() { sqlite3_clear_bindings(handle) }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}

/// A value to bind, copied by SQLite.
enum SQLValue: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])
}

extension Statement {
  func bind(_ position: Int32, to value: Int64) throws {
    let code = sqlite3_bind_int64(handle, position, value)
    guard code == SQLITE_OK else {
      throw SQLiteFailure(code: code, sqlite3_db_handle(handle))
    }
  }

  func bind(_ position: Int32, to value: SQLValue) throws {
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(handle, position)
    case .integer(let value): code = sqlite3_bind_int64(handle, position, value)
    case .real(let value): code = sqlite3_bind_double(handle, position, value)
    case .text(let bytes): code = bindText(position, to: bytes)
    case .blob(let bytes): code = bindBlob(position, to: bytes)
    }
    guard code == SQLITE_OK else {
      throw SQLiteFailure(code: code, sqlite3_db_handle(handle))
    }
  }

  func bind(_ values: [SQLValue]) throws {
    for (index, value) in values.enumerated() { try bind(Int32(index + 1), to: value) }
  }

  private func bindText(_ position: Int32, to bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, buffer.count > 0 else {
        return sqlite3_bind_text(handle, position, "", 0, cauldron_sqlite_transient())
      }
      return sqlite3_bind_text64(
        handle, position, start.assumingMemoryBound(to: CChar.self), UInt64(buffer.count),
        cauldron_sqlite_transient(), UInt8(SQLITE_UTF8))
    }
  }

  private func bindBlob(_ position: Int32, to bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, buffer.count > 0 else {
        return sqlite3_bind_zeroblob(handle, position, 0)
      }
      return sqlite3_bind_blob64(
        handle, position, start, UInt64(buffer.count), cauldron_sqlite_transient())
    }
  }
}

extension Statement {
  /// A cell in the form that values share.
  func scalar(_ column: Int32) -> AttributeScalar {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(Data(bytes(column)))
    default: .null
    }
  }
}

/// The prepared statements of a connection by their text; the least recently used one goes first.
struct StatementCache {
  private struct Entry {
    let statement: Statement
    var lastUse: UInt64
  }

  private let limit: Int
  private var entries: [String: Entry] = [:]
  private var clock: UInt64 = 0

  init(limit: Int) { self.limit = limit }

  /// The statement for a text; looking it up counts as a use.
  subscript(sql: String) -> Statement? {
    mutating get {
      clock += 1
      guard let index = entries.index(forKey: sql) else { return nil }
      entries.values[index].lastUse = clock
      return entries.values[index].statement
    }
  }

  mutating func insert(_ statement: Statement, for sql: String) {
    if entries.count >= limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries[oldest.key] = nil
    }
    clock += 1
    entries[sql] = Entry(statement: statement, lastUse: clock)
  }

  mutating func removeAll() { entries = [:] }

  var count: Int { entries.count }
}

/// Arithmetic on numbers that come from a file, in which any number may stand.
extension Int64 {
  /// - Parameter what: What the sum is of, for the error: `the keys of ZTAG`.
  /// - Throws: `store.corrupt` where the sum is beyond 64 bits.
  func plus(_ other: Int64, of what: @autoclosure () -> String) throws -> Int64 {
    let (sum, isBeyond) = addingReportingOverflow(other)
    if isBeyond { throw CauldronError.beyondNumbers(what(), of: self, and: other) }
    return sum
  }

  /// - Throws: `store.corrupt` where the difference is beyond 64 bits.
  func minus(_ other: Int64, of what: @autoclosure () -> String) throws -> Int64 {
    let (difference, isBeyond) = subtractingReportingOverflow(other)
    if isBeyond { throw CauldronError.beyondNumbers(what(), of: self, and: other) }
    return difference
  }
}

extension CauldronError {
  fileprivate static func beyondNumbers(_ what: String, of a: Int64, and b: Int64) -> CauldronError
  {
    CauldronError(
      .storeCorrupt, "Cannot use the store: \(what) are beyond what can be counted (\(a), \(b)).",
      hint: "Restore a copy with `cauldron restore`.")
  }
}
