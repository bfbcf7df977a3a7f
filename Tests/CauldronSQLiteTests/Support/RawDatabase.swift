import CSQLite
import Foundation

/// A connection as any other program would have it.
final class RawDatabase {
  let handle: OpaquePointer?

  init(_ url: URL) {
    var opened: OpaquePointer?
    sqlite3_open_v2(url.path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    handle = opened
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements; answers the result code.
  @discardableResult
  func run(_ sql: String) -> Int32 { sqlite3_exec(handle, sql, nil, nil, nil) }

  /// All cells of a result as text, NULL as "-".
  func rows(_ sql: String) -> [[String]] {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "-"
        })
    }
    return rows
  }

  func value(_ sql: String) -> String { rows(sql).first?.first ?? "" }
}
