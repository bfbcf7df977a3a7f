import CSQLite
import Foundation

/// A connection that does damage: what fails is told, and nothing is thrown.
final class DamageConnection {
  private var handle: OpaquePointer?

  /// - Parameter keepsLog: Whether the log stays beside the file, with what was written.
  init(_ files: StoreFiles, keepsLog: Bool) {
    sqlite3_open_v2(files.path(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    sqlite3_busy_timeout(handle, 100)
    // What never ends, such as a view of itself, is given up.
    sqlite3_progress_handler(handle, 50_000_000, { _ in 1 }, nil)
    if keepsLog {
      var mode: Int32 = 1
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &mode)
      run("PRAGMA wal_autocheckpoint = 0")
    }
    run("PRAGMA writable_schema = ON")
    run("PRAGMA recursive_triggers = OFF")
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements, one after the other until one fails.
  /// - Returns: Whether all were run.
  @discardableResult
  func run(_ sql: String) -> Bool { sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK }

  /// The first column of the rows; as many as could be read.
  func texts(_ sql: String) -> [String] { texts(sql) { $0 } }

  /// What is made of the first column of the rows, one after the other.
  private func texts(_ sql: String, _ body: (String) -> String) -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      if let text = sqlite3_column_text(statement, 0) { texts.append(body(String(cString: text))) }
    }
    return texts
  }

  func number(_ sql: String) -> Int { texts(sql).first.flatMap { Int($0) } ?? 0 }

  /// The bytes of the first cell.
  func bytes(_ sql: String) -> [UInt8] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW, let start = sqlite3_column_blob(statement, 0)
    else { return [] }
    let count = Int(sqlite3_column_bytes(statement, 0))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Runs a statement that has bytes in place of its question mark.
  @discardableResult
  func run(_ sql: String, bytes: [UInt8]) -> Bool {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return false }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    bytes.withUnsafeBytes {
      _ = sqlite3_bind_blob(statement, 1, $0.baseAddress, Int32(bytes.count), transient)
    }
    return sqlite3_step(statement) == SQLITE_DONE
  }

  /// Takes the log into the file.
  func empty() { run("PRAGMA wal_checkpoint(TRUNCATE)") }

  /// All that the file has, in one text for each thing, shortened where that is long; nil where it cannot be read.
  ///
  /// The memory that this takes counts as the operation's.
  /// - Parameter leavingOut: Tables that do not count.
  static func dump(_ files: StoreFiles, leavingOut: Set<String> = []) -> [String]? {
    if files.hasDirectoryAsLog { return nil }
    let connection = DamageConnection(files, keepsLog: true)
    var lines: [String] = []
    let names = connection.texts("SELECT quote(name) FROM sqlite_schema WHERE type = 'table'")
    guard !names.isEmpty else { return nil }
    for name in names.sorted() where !leavingOut.contains(name.replacing("'", with: "")) {
      let table = "\"" + name.dropFirst().dropLast() + "\""
      let columns = connection.texts("SELECT quote(name) FROM pragma_table_info(\(name))")
      let cells = columns.map { "quote(\"" + $0.dropFirst().dropLast() + "\")" }
      guard !cells.isEmpty else { return nil }
      let count = connection.texts("SELECT count(*) FROM \(table) NOT INDEXED")
      let joined = cells.prefix(50).joined(separator: " || ',' || ")
      let rows = connection.texts("SELECT \(joined) FROM \(table) NOT INDEXED") { $0.digest }
      guard count == ["\(rows.count)"] else { return nil }
      lines += rows.map { "\(name): \($0)" }
    }
    return lines.sorted()
  }
}

extension String {
  /// The text, or the beginning of a long one with a number that is made of all of it (FNV-1a).
  fileprivate var digest: String {
    guard utf8.count > 1_000 else { return self }
    let number = utf8.reduce(into: 0xcbf2_9ce4_8422_2325 as UInt64) { number, byte in
      number = (number ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return "\(prefix(200))… \(utf8.count) bytes, \(number)"
  }
}
