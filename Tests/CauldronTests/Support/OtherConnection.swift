import CSQLite
import Foundation
import Testing

/// A connection as another process would have it.
///
/// It waits up to 10 s for a lock unless told otherwise, because the connections of a stack that
/// has just ended may still be at their last checkpoint. `@unchecked Sendable` because SQLite's own mutex guards it.
final class OtherConnection: @unchecked Sendable {
  private var handle: OpaquePointer?

  init(_ url: URL, waitingForLocks waits: Bool = true) {
    sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, nil)
    if waits { sqlite3_busy_timeout(handle, 10_000) }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements; answers whether they succeeded.
  @discardableResult
  func run(_ sql: String) -> Bool { sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK }

  /// Registers a function that does nothing.
  func register(_ name: String) {
    sqlite3_create_function_v2(
      handle, name, -1, SQLITE_UTF8, nil, { context, _, _ in sqlite3_result_null(context) }, nil,
      nil,
      nil)
  }

  /// The integers in the first column of a result.
  func integers(_ sql: String) -> [Int64] { texts(sql).map { Int64($0) ?? 0 } }

  /// The texts in the first column of a result; empty for NULL.
  func texts(_ sql: String) -> [String] { rows(sql).map { $0[0] ?? "" } }

  /// All cells of a result as text; a statement that fails is an issue of the test.
  func rows(_ sql: String) -> [[String?]] {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    var rows: [[String?]] = []
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) }
        })
      code = sqlite3_step(statement)
    }
    if code != SQLITE_DONE { Issue.record("\(sql): \(String(cString: sqlite3_errmsg(handle)))") }
    return rows
  }
}

extension OtherConnection {
  /// Does what every program must that writes a table with a derived attribute.
  func registerTriggerFunctions() {
    for name in ["Updated", "InsertUpdated"] {
      register("NSCoreDataDATrigger\(name)AffectedObjectValue")
    }
  }
}
