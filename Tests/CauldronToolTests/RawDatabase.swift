import CSQLite
import Foundation

/// A connection as any other program would have it, and the bytes of the file.
final class RawDatabase {
  private let handle: OpaquePointer?
  private let url: URL

  init(_ url: URL) {
    self.url = url
    var opened: OpaquePointer?
    sqlite3_open_v2(url.path, &opened, SQLITE_OPEN_READWRITE, nil)
    sqlite3_busy_timeout(opened, 10_000)
    handle = opened
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements; answers what SQLite says of the first one that fails.
  func run(_ sql: String) -> String? {
    sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
      ? nil : String(cString: sqlite3_errmsg(handle))
  }

  /// The first cell.
  func text(_ sql: String) -> String {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0) else {
      return ""
    }
    return String(cString: text)
  }

  /// Overwrites bytes of the file behind SQLite's back.
  func overwrite(at offset: Int, _ bytes: [UInt8]) throws {
    let file = try FileHandle(forUpdating: url)
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }
}
