internal import CSQLite
import CauldronModel

/// Turns what SQLite said into the error that says what was attempted.
struct FailureReport {
  let failure: SQLiteFailure
  /// The file's name.
  let name: String
  let busyTimeout: Double

  init(_ failure: SQLiteFailure, _ name: String, _ busyTimeout: Double) {
    self.failure = failure
    self.name = name
    self.busyTimeout = BusyTimeout.bounded(busyTimeout)
  }

  /// The failure of opening.
  func opening(_ file: StoreFile) -> CauldronError {
    error(attempt: "Cannot open store \"\(file.path)\"").with { $0.path = file.path }
  }

  /// The failure of reading rows of an entity.
  func reading(_ entity: String, _ path: String) -> CauldronError {
    error(attempt: "Cannot read \(entity) in \"\(name)\"").with {
      $0.entity = entity
      $0.path = path
    }
  }

  /// The failure of a save that left nothing behind.
  func saving(_ changeCount: Int, _ path: String) -> CauldronError {
    let subject = failure.primary == SQLITE_FULL ? "\(Self.changes(changeCount)) " : ""
    let keeps = failure.primary == SQLITE_FULL || failure.primary == SQLITE_IOERR
    return error(
      attempt: "Cannot save \(subject)to \"\(name)\"",
      consequence: keeps ? "Nothing was written; the changes are still pending." : ""
    ).with { $0.path = path }
  }

  /// The failure of anything else that writes.
  func writing(_ path: String) -> CauldronError {
    error(attempt: "Cannot save to \"\(name)\"").with { $0.path = path }
  }

  static func changes(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }

  private func error(attempt: String, consequence: String = "") -> CauldronError {
    let found = description
    return CauldronError(
      found.code, "\(attempt): \(found.what).",
      hint: consequence.isEmpty ? found.hint : consequence
    ).with { $0.sqliteCode = failure.code }
  }

  private var description: (code: CauldronError.Code, what: String, hint: String) {
    let number = "SQLite \(failure.code)"
    switch failure.primary {
    case SQLITE_FULL:
      return (.storeDiskFull, "disk is full (\(number))", "Free some space and try again.")
    // Who cannot get a place in the log because others hold the locks is told of a "protocol".
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      let tenths = Int((busyTimeout * 10).rounded())
      let seconds = "\(tenths / 10).\(tenths % 10) s"
      return (.storeBusy, "locked for \(seconds) by another connection", "Save again.")
    case SQLITE_READONLY:
      return (.storeReadOnly, "opened read-only", "")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      return (
        .storeCorrupt, "the database is damaged (\(number): \(failure.message))",
        "Run `cauldron verify`."
      )
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      return (.storeCannotOpen, "\(failure.message) (\(number))", "")
    case SQLITE_IOERR:
      return (.storeIO, "disk I/O error (\(number)\(operation))", "")
    default:
      return (.storeIO, "\(failure.message) (\(number))", "")
    }
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
