import CSQLite
import Foundation

/// A connection as another program has it.
///
/// `@unchecked Sendable` because SQLite locks the connection, which does not change.
final class OtherProgram: @unchecked Sendable {
  private var handle: OpaquePointer?

  init(_ url: URL) {
    sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, nil)
  }

  deinit { sqlite3_close_v2(handle) }

  @discardableResult
  func run(_ sql: String) -> Bool { sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK }
}
