internal import CSQLite

extension Connection {
  /// Whether what the connection has met was changed by another connection since the tables were last
  /// known to be the model's. It tells what the last statement has met; nothing is read.
  @inline(__always)
  var hasMetChange: Bool { fileVersion != checkedVersion }

  /// The state of the file that the last statement has met.
  private var fileVersion: UInt32 {
    var version: UInt32 = 0
    // https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntldataversion
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  /// A number that changes with the tables of the file; costs one statement.
  func schemaVersion() throws -> Int64 {
    let statement = try statement("PRAGMA schema_version")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Notes that the tables are the model's in the state that the last statement has met.
  func noteChecked(_ schema: Int64) {
    knownSchema = schema
    checkedVersion = fileVersion
  }
}
