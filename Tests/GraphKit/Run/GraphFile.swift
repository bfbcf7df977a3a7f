import CSQLite
import Foundation

/// The file of a run, as any other program sees it.
final class GraphFile {
  private var handle: OpaquePointer?

  /// The columns of references, with the tables that they lead to.
  private static let references = [
    ("ZNODE", "ZPARENT", "ZNODE"), ("ZNODE", "ZWHOLE", "ZNODE"), ("ZNODE", "ZCROWN", "ZMARK"),
    ("ZNODE", "ZSHELF", "ZCRATE"), ("ZNODE", "ZSTEP", "ZCRATE"), ("ZMARK", "ZCHIEF", "ZNODE"),
    ("ZPIECE", "ZHOME", "ZCRATE"), ("ZNODE", "Z4HOLDS", "ZNODE"),
  ]

  init(_ url: URL) throws {
    let code = sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil)
    guard code == SQLITE_OK else { throw GraphDifference("the file does not open: \(code)") }
    sqlite3_busy_timeout(handle, 5_000)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Throws for damage, and for what leads to nothing.
  func check() throws {
    let integrity = try rows("PRAGMA integrity_check")
    if integrity != ["ok"] { throw GraphDifference("the file is damaged: \(integrity)") }
    for (table, column, other) in Self.references { try check(table, column, other) }
    let tables = try rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    guard tables.count == 7 else { throw GraphDifference("the tables of links are \(tables)") }
    for table in tables { try checkLinks(table) }
  }

  private func check(_ table: String, _ column: String, _ other: String) throws {
    let dangling = try rows(
      """
      SELECT Z_PK FROM \(table)
      WHERE \(column) IS NOT NULL AND \(column) NOT IN (SELECT Z_PK FROM \(other))
      """)
    if !dangling.isEmpty {
      throw GraphDifference("\(column) of \(table) leads to nothing in the rows \(dangling)")
    }
  }

  /// A column of a table of links names the entity by its number.
  private func checkLinks(_ table: String) throws {
    for column in try rows("SELECT name FROM pragma_table_info('\(table)')")
    where !column.hasPrefix("Z_FOK") {
      // The second end of a relationship that is its own inverse is of the entity of the first one.
      let name = column == "REFLEXIVE" ? String(table) : column
      let number = name.dropFirst(2).prefix { $0.isNumber }
      let other = try rows("SELECT 'Z' || upper(Z_NAME) FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)")
      let dangling = try rows(
        """
        SELECT \(column) FROM \(table)
        WHERE \(column) IS NULL OR \(column) NOT IN (SELECT Z_PK FROM \(other.first ?? ""))
        """)
      if !dangling.isEmpty {
        throw GraphDifference("\(column) of \(table) leads to nothing: \(dangling)")
      }
    }
  }

  /// The first column of a result.
  private func rows(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    var code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    var rows: [String] = []
    while code == SQLITE_OK || code == SQLITE_ROW {
      code = sqlite3_step(statement)
      if code == SQLITE_DONE { return rows }
      if code == SQLITE_ROW {
        rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
      }
    }
    throw GraphDifference("\(sql): \(String(cString: sqlite3_errmsg(handle)))")
  }
}
