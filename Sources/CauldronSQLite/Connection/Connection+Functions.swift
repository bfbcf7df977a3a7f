internal import CSQLite

extension Connection {
  /// Registers `z_pack`, once: registering it again would expire the prepared statements.
  func registerPacking() throws {
    let code = sqlite3_create_function_v2(
      handle, "z_pack", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, packer,
      { context, _, values in
        guard let state = sqlite3_user_data(context), let values else { return }
        let number = state.assumingMemoryBound(to: PackState.self).pointee.pack(values)
        if number >= 0 {
          sqlite3_result_int64(context, number)
        } else {
          sqlite3_result_error_code(context, SQLITE_MISMATCH)
        }
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
  }

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
