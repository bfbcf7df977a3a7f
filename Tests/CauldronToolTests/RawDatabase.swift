import CSQLite
import Foundation
import Testing

/// A connection as any other program would have it, and the bytes of the file.
final class RawDatabase {
  private let handle: OpaquePointer?
  private let url: URL

  init(_ url: URL, creates: Bool = false) {
    self.url = url
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0)
    sqlite3_open_v2(url.path, &opened, flags, nil)
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

  /// Has the file be one of the same rows whose texts are in another encoding.
  func encode(_ encoding: String) throws {
    let part = url.appendingPathExtension("encoded")
    let other = RawDatabase(part, creates: true)
    try check(other.run("PRAGMA encoding = '\(encoding)'; BEGIN"))
    let tables = text(
      "SELECT group_concat(name) FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
    )
    try check(other.run(text("SELECT group_concat(sql, '; ') FROM sqlite_master")))
    for table in tables.split(separator: ",") {
      let cells = text(
        "SELECT group_concat('quote(\"' || name || '\")', ' || '','' || ')"
          + " FROM pragma_table_info('\(table)')")
      let rows = text(
        "SELECT group_concat('INSERT INTO \"\(table)\" VALUES (' || \(cells) || ')', '; ')"
          + " FROM \"\(table)\"")
      try check(other.run(rows))
    }
    try check(other.run("COMMIT"))
    _ = run("PRAGMA journal_mode = DELETE")
    try FileManager.default.removeItem(at: url)
    try FileManager.default.moveItem(at: part, to: url)
  }

  private func check(_ problem: String?) throws {
    try #require(problem == nil, "\(problem ?? "")")
  }

  /// Overwrites bytes of the file behind SQLite's back.
  func overwrite(at offset: Int, _ bytes: [UInt8]) throws {
    let file = try FileHandle(forUpdating: url)
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }
}
