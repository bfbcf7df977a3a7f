internal import CSQLite

extension Connection {
  /// Registers the functions that Core Data's triggers for derived attributes call.
  ///
  /// They only tell Core Data which objects to refresh, so doing nothing is right. They are
  /// declared harmless because triggers of an untrusted schema may call no others
  /// (https://www.sqlite.org/c3ref/c_deterministic.html#sqliteinnocuous).
  func registerTriggerFunctions() throws {
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ] {
      let code = sqlite3_create_function_v2(
        handle, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil,
        { context, _, _ in sqlite3_result_null(context) }, nil, nil, nil)
      guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
    }
  }
}
