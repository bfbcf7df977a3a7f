internal import CSQLite
import CauldronModel
import Foundation

/// Turns a failure of SQLite into the error of the attempted action.
struct FailureReport {
  let failure: SQLiteFailure
  let file: StoreFile
  let options: SQLiteStoreOptions

  init(_ failure: SQLiteFailure, _ file: StoreFile, _ options: SQLiteStoreOptions) {
    self.failure = failure
    self.file = file
    self.options = options
  }

  /// The failure of opening.
  func opening() -> CauldronError {
    error(attempt: "Cannot open store \"\(file.path)\"", again: "Try again.")
  }

  /// The failure of reading rows of an entity.
  func reading(_ entity: String) -> CauldronError {
    error(attempt: "Cannot read \(entity) in \"\(file.path)\"", again: "Try again.")
      .with { $0.entity = entity }
  }

  /// The failure of a save that left nothing behind.
  func saving(_ changeCount: Int) -> CauldronError {
    let isCounted = failure.isOfFullDisk && changeCount > 0
    let subject = isCounted ? "\(Self.changes(changeCount)) " : ""
    let consequence =
      switch failure.primary {
      case _ where failure.isOfFullDisk:
        "Nothing was written, and nothing is lost; free some space and save again."
      case SQLITE_IOERR: "Nothing was written; save again."
      default: ""
      }
    return error(
      attempt: "Cannot save \(subject)to \"\(file.path)\"", again: "Save again.",
      consequence: consequence)
  }

  /// The failure of a copy.
  func copying() -> CauldronError {
    error(attempt: "Cannot copy store \"\(file.path)\"", again: "Try again.")
  }

  /// The failure to put a copy in the store's place.
  func restoring() -> CauldronError {
    error(attempt: "Cannot restore \"\(file.path)\"", again: "Try again.")
  }

  /// The failure of anything else that writes.
  func writing() -> CauldronError {
    error(attempt: "Cannot save to \"\(file.path)\"", again: "Try again.")
  }

  static func changes(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }

  private func error(attempt: String, again: String, consequence: String = "") -> CauldronError {
    let found = description(again)
    return CauldronError(
      found.code, "\(attempt): \(found.what).",
      hint: consequence.isEmpty ? found.hint : consequence
    ).with {
      $0.sqliteCode = failure.code
      $0.path = file.path
    }
  }

  private func description(
    _ again: String
  ) -> (code: CauldronError.Code, what: String, hint: String) {
    let number = "SQLite \(failure.code)"
    switch failure.primary {
    case _ where failure.isOfFullDisk:
      let detail = failure.primary == SQLITE_FULL ? number : "\(number)\(operation)\(systemReason)"
      return (.storeDiskFull, "disk is full (\(detail))", "Free some space and try again.")
    // Who cannot get a place in the log because others hold the locks is told of a "protocol".
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      let tenths = Int((BusyTimeout.bounded(options.busyTimeout) * 10).rounded())
      let seconds = "\(tenths / 10).\(tenths % 10) s"
      // Not every lock is waited for (https://www.sqlite.org/rescode.html#busy_snapshot).
      let kind = failure.code == SQLITE_BUSY ? "" : " (\(number))"
      return (.storeBusy, "locked for \(seconds) by another connection\(kind)", again)
    case SQLITE_READONLY:
      return (.storeReadOnly, readOnlyReason, "")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      return (
        .storeCorrupt, "the database is damaged (\(number): \(failure.message))", file.rescue
      )
    case SQLITE_ERROR where failure.lacksColumn:
      return (
        .storeCorrupt, "its tables are not those of a store (\(failure.message))", file.rescue
      )
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      return (.storeCannotOpen, "\(openingReason) (\(number))", "")
    case SQLITE_IOERR:
      return (.storeIO, "disk I/O error (\(number)\(operation)\(systemReason))", "")
    default:
      return (.storeIO, "\(failure.message) (\(number))", "")
    }
  }

  /// Why nothing can be written (https://www.sqlite.org/rescode.html#readonly_rollback).
  private var readOnlyReason: String {
    let recovery = SQLITE_READONLY | 1 << 8
    let rollback = SQLITE_READONLY | 3 << 8
    if failure.code == recovery || failure.code == rollback {
      return "an interrupted save must be undone first, and nothing can be written"
    }
    if options.readOnly { return "opened with readOnly" }
    return file.writingObstacle ?? "\(failure.message) (SQLite \(failure.code))"
  }

  /// Why the file cannot be opened, from the system if it knows.
  private var openingReason: String {
    guard failure.primary == SQLITE_CANTOPEN else { return failure.message }
    if file.path.utf8.count > StoreFile.longestPath {
      return "its path has \(file.path.utf8.count) bytes, and SQLite takes"
        + " \(StoreFile.longestPath)"
    }
    // SQLite's last attempt is to read, of a file that it was not allowed to make.
    let isVague = [0, ENOENT].contains(failure.systemError)
    let known = failure.systemError == 0 ? nil : failure.systemError
    let reason = ((isVague ? file.systemError : nil) ?? known).map(StoreFile.text)
    return reason.map { "\(failure.message): \($0)" } ?? failure.message
  }

  private var systemReason: String {
    failure.systemError == 0 ? "" : ": \(StoreFile.text(failure.systemError))"
  }

  /// Which call failed (https://www.sqlite.org/rescode.html#ioerr_read).
  private var operation: String {
    let names = [
      1: "read", 2: "short read", 3: "write", 4: "fsync", 5: "fsync of the directory",
      6: "truncate", 7: "fstat", 8: "unlock", 9: "read lock", 10: "delete", 12: "memory",
      13: "access", 14: "lock check", 15: "lock", 16: "close", 17: "close of the directory",
      18: "shared memory", 19: "shared memory", 20: "shared memory lock", 21: "shared memory",
      22: "seek",
    ]
    return names[Int(failure.code >> 8)].map { ", \($0)" } ?? ""
  }
}
