internal import CSQLite

extension RowConnection {
  /// Registers `z_pack`, which packs a row and returns its number, `z_pack_all`, which packs all
  /// rows of a statement in one step, and `z_ids`, which notes keys in the same way.
  ///
  /// Once: registering a function again would expire the prepared statements.
  func registerPacking() throws {
    var code = sqlite3_create_function_v2(
      handle, "z_pack", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, packer,
      { context, _, values in
        guard let number = packRow(context, values) else { return }
        sqlite3_result_int64(context, number)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
    code = sqlite3_create_function_v2(
      handle, "z_pack_all", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, packer, nil,
      { context, _, values in _ = packRow(context, values) },
      { context in sqlite3_result_null(context) }, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
    code = sqlite3_create_function_v2(
      handle, "z_ids", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, packer, nil,
      { context, _, values in
        guard let state = sqlite3_user_data(context), let values else { return }
        state.assumingMemoryBound(to: PackState.self).pointee.note(
          sqlite3_value_int64(values[0]), sqlite3_value_int64(values[1]))
      },
      { context in sqlite3_result_null(context) }, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
  }
}

/// Packs the row that a function was called with; answers its number, or fails the statement.
@inline(__always)
private func packRow(
  _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?
) -> Int64? {
  guard let state = sqlite3_user_data(context), let values else { return nil }
  let number = state.assumingMemoryBound(to: PackState.self).pointee.pack(values)
  if number >= 0 { return number }
  sqlite3_result_error_code(context, SQLITE_MISMATCH)
  return nil
}

extension PackState {
  /// The rows that a statement has gathered in one step; nil for one that gives each of its rows.
  func gatheredCount(_ sql: String) -> Int? {
    if sql.contains("z_pack_all(") { return count }
    return sql.contains("z_ids(") ? ids.count : nil
  }
}
