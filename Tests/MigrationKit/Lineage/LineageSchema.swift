import CSQLite
import Foundation

/// What a file has, whatever its order: tables with their columns, indexes, and the entities' numbers.
struct LineageSchema {
  private let parts: Set<String>

  init(_ url: URL) throws {
    let file = LineageFile(url)
    var parts: Set<String> = []
    parts.formUnion(
      file.texts(
        "SELECT m.name || '.' || c.name || ' ' || c.type || ' ' || c.pk FROM sqlite_master AS m,"
          + " pragma_table_info(m.name) AS c WHERE m.type = 'table'"))
    parts.formUnion(
      file.texts("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL"))
    parts.formUnion(file.texts("SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY"))
    parts.formUnion(file.texts("PRAGMA integrity_check"))
    self.parts = parts
  }

  /// The first column of what a file answers.
  static func texts(_ url: URL, _ sql: String) -> [String] { LineageFile(url).texts(sql) }

  func difference(from fresh: LineageSchema) -> String? {
    if parts == fresh.parts { return nil }
    return "the file has \(parts.subtracting(fresh.parts).sorted()), and a fresh one has"
      + " \(fresh.parts.subtracting(parts).sorted())"
  }
}

/// A file as other programs read it.
private struct LineageFile {
  private let url: URL

  init(_ url: URL) { self.url = url }

  func texts(_ sql: String) -> [String] {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open_v2(url.path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      return ["cannot be opened"]
    }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      return ["cannot be read"]
    }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return texts
  }
}
