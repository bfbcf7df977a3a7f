import CSQLite
import Foundation

/// A connection as any other program would have it; it recovers the log of a killed process.
final class RawDatabase {
  private var handle: OpaquePointer?

  /// - Parameter vfs: The VFS; nil for the process's default one.
  init(_ url: URL, vfs: String? = nil) throws {
    let code = sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, vfs)
    guard code == SQLITE_OK else { throw SoakFailure("sqlite3_open gave \(code) for \(url.path)") }
    sqlite3_busy_timeout(handle, 5_000)
  }

  deinit { sqlite3_close_v2(handle) }

  /// The rows of a result as text, the cells of each separated by a bar.
  func rows(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw SoakFailure("\(sql): \(String(cString: sqlite3_errmsg(handle)))")
    }
    var rows: [String] = []
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return rows }
      guard code == SQLITE_ROW else {
        throw SoakFailure("\(sql): \(String(cString: sqlite3_errmsg(handle)))")
      }
      let cells = (0..<sqlite3_column_count(statement)).map { column in
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
      }
      rows.append(cells.joined(separator: "|"))
    }
  }

  func number(_ sql: String) throws -> Int { try rows(sql).first.flatMap { Int($0) } ?? 0 }
}
