internal import CSQLite
import Foundation

/// What SQLite answered instead of doing it; turned into a `CauldronError` where it is known what
/// was attempted.
struct SQLiteFailure: Error {
  /// The extended result code of the call that failed first.
  let code: Int32
  let message: String
  /// What the operating system answered, if it was that; 0 where it is not known.
  let systemError: Int32

  /// The code without its extension (https://www.sqlite.org/rescode.html).
  var primary: Int32 { code & 0xFF }

  init(code: Int32, message: String, systemError: Int32 = 0) {
    self.code = code
    self.message = message
    self.systemError = systemError
  }

  init(code: Int32, _ connection: OpaquePointer?) {
    self.code = code
    let text = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    message = text.map { String(cString: $0) } ?? "unknown error"
    // Only where the system was asked; else the number is that of an older failure.
    let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF)
    systemError = isOfSystem ? connection.map { sqlite3_system_errno($0) } ?? 0 : 0
  }

  /// Whether the disk has no room, or none for this user. SQLite knows a disk that is full, but takes a quota
  /// that is used up for a failure of the disk.
  var isOfFullDisk: Bool {
    primary == SQLITE_FULL || primary == SQLITE_IOERR && [EDQUOT, ENOSPC].contains(systemError)
  }

  /// Whether a table or column is not there; SQLite has no code for that.
  var lacksColumn: Bool {
    primary == SQLITE_ERROR
      && ["no such column: ", "no such table: "].contains(where: message.hasPrefix)
  }

  /// Whether the failure concerns one row and leaves the transaction usable.
  var concernsOneRow: Bool {
    primary == SQLITE_CONSTRAINT || primary == SQLITE_TOOBIG || primary == SQLITE_MISMATCH
  }
}

extension SQLiteFailure {
  // Swift does not import these macros (https://www.sqlite.org/rescode.html#constraint_unique).
  private static let unique = SQLITE_CONSTRAINT | 8 << 8
  private static let primaryKey = SQLITE_CONSTRAINT | 6 << 8
  private static let rowID = SQLITE_CONSTRAINT | 10 << 8

  /// Whether a unique index has the values already.
  var isUniqueViolation: Bool { code == Self.unique }

  /// Whether a row has the key already.
  var isKeyTaken: Bool { code == Self.primaryKey || code == Self.rowID }
}
