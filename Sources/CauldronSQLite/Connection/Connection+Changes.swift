internal import CSQLite

extension Connection {
  /// Whether what the connection reads was changed by another connection, of whatever process, since
  /// this was asked last. It tells what the last statement has met; nothing is read.
  func takeSeenChange() -> Bool {
    var version: UInt32 = 0
    // https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntldataversion
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    defer { seenVersion = version }
    return version != seenVersion
  }

  /// A number that changes when another connection has written; costs one statement, which takes a
  /// lock for reading.
  func dataVersion() throws -> Int64 {
    let statement = try statement("PRAGMA data_version")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }
}
