internal import CSQLite

/// What a connection takes of a statement (https://www.sqlite.org/limits.html).
package struct StatementRoom: Sendable, Hashable {
  /// The most parameters.
  package var parameters: Int
  /// The most expressions within one another.
  package var depth: Int

  package init(parameters: Int, depth: Int) {
    self.parameters = parameters
    self.depth = depth
  }

  /// What SQLite takes unless it is built otherwise.
  static let standard = StatementRoom(parameters: 32_766, depth: 1_000)

  /// So many conditions stand beside one another before parentheses gather them: a chain of ANDs is
  /// a level of depth for each.
  var chainLength: Int { depth >= 500 ? 32 : 4 }
}

extension Connection {
  /// Takes less than SQLite would; for tests.
  func narrow(_ room: StatementRoom) {
    sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, Int32(room.parameters))
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, Int32(room.depth))
  }

  /// What the connection takes by now.
  func findRoom() -> StatementRoom {
    StatementRoom(
      parameters: Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)),
      depth: Int(sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, -1)))
  }
}
