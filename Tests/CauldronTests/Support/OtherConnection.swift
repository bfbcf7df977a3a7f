import CSQLite
import Foundation

/// A connection as another process would have it.
///
/// `@unchecked Sendable` because SQLite's own mutex guards it.
final class OtherConnection: @unchecked Sendable {
  private var handle: OpaquePointer?

  init(_ url: URL) {
    sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, nil)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements; answers whether they succeeded.
  @discardableResult
  func run(_ sql: String) -> Bool { sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK }

  /// The integers in the first column of a result.
  func integers(_ sql: String) -> [Int64] { texts(sql).map { Int64($0) ?? 0 } }

  /// The texts in the first column of a result; empty for NULL.
  func texts(_ sql: String) -> [String] { rows(sql).map { $0[0] ?? "" } }

  /// All cells of a result as text.
  func rows(_ sql: String) -> [[String?]] {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    var rows: [[String?]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) }
        })
    }
    return rows
  }
}
