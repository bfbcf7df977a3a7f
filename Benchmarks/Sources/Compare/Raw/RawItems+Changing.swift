import SystemSQLite

extension RawItems {
  static let update = "UPDATE ZITEM SET ZAGE = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?"
  static let deletion = "DELETE FROM ZITEM WHERE Z_PK = ?"

  /// Gives rows another age in one transaction.
  static func setAge(_ age: Int, _ keys: Range<Int64>, _ statement: RawStatement) throws {
    try statement.database.transaction {
      for key in keys {
        sqlite3_bind_int64(statement.pointer, 1, Int64(age))
        sqlite3_bind_int64(statement.pointer, 2, key)
        try statement.run()
      }
    }
  }

  /// Deletes rows in one transaction.
  static func delete(_ keys: Range<Int64>, _ statement: RawStatement) throws {
    try statement.database.transaction {
      for key in keys {
        sqlite3_bind_int64(statement.pointer, 1, key)
        try statement.run()
      }
    }
  }

  /// The sum of the second column where a parameter has a value, by way of structs.
  static func sum(_ statement: RawStatement, where value: Int64) -> Int {
    let pointer = statement.pointer
    sqlite3_bind_int64(pointer, 1, value)
    var rows: [(key: Int64, number: Int)] = []
    while sqlite3_step(pointer) == SQLITE_ROW {
      rows.append((sqlite3_column_int64(pointer, 0), Int(sqlite3_column_int64(pointer, 1))))
    }
    sqlite3_reset(pointer)
    return rows.reduce(0) { $0 &+ $1.number }
  }
}
