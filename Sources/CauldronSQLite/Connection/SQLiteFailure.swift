internal import CSQLite

/// What SQLite answered instead of doing it; turned into a `CauldronError` where it is known what
/// was attempted.
struct SQLiteFailure: Error {
  /// The extended result code of the call that failed first.
  let code: Int32
  let message: String

  /// The code without its extension (https://www.sqlite.org/rescode.html).
  var primary: Int32 { code & 0xFF }

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  init(code: Int32, _ connection: OpaquePointer?) {
    self.code = code
    let text = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    message = text.map { String(cString: $0) } ?? "unknown error"
  }

  /// Whether the failure concerns one row and leaves the transaction usable.
  var concernsOneRow: Bool {
    primary == SQLITE_CONSTRAINT || primary == SQLITE_TOOBIG || primary == SQLITE_MISMATCH
  }
}
