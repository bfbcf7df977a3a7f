internal import CSQLite

/// A value to bind, copied by SQLite.
enum SQLValue: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])
}

extension Statement {
  func bind(_ position: Int32, _ value: Int64) throws {
    let code = sqlite3_bind_int64(handle, position, value)
    guard code == SQLITE_OK else {
      throw SQLiteFailure(code: code, sqlite3_db_handle(handle))
    }
  }

  func bind(_ position: Int32, _ value: SQLValue) throws {
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(handle, position)
    case .integer(let value): code = sqlite3_bind_int64(handle, position, value)
    case .real(let value): code = sqlite3_bind_double(handle, position, value)
    case .text(let bytes): code = bindText(position, bytes)
    case .blob(let bytes): code = bindBlob(position, bytes)
    }
    guard code == SQLITE_OK else {
      throw SQLiteFailure(code: code, sqlite3_db_handle(handle))
    }
  }

  func bind(_ values: [SQLValue]) throws {
    for (index, value) in values.enumerated() { try bind(Int32(index + 1), value) }
  }

  private func bindText(_ position: Int32, _ bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, buffer.count > 0 else {
        return sqlite3_bind_text(handle, position, "", 0, cauldron_sqlite_transient())
      }
      return sqlite3_bind_text64(
        handle, position, start.assumingMemoryBound(to: CChar.self), UInt64(buffer.count),
        cauldron_sqlite_transient(), UInt8(SQLITE_UTF8))
    }
  }

  private func bindBlob(_ position: Int32, _ bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, buffer.count > 0 else {
        return sqlite3_bind_zeroblob(handle, position, 0)
      }
      return sqlite3_bind_blob64(
        handle, position, start, UInt64(buffer.count), cauldron_sqlite_transient())
    }
  }
}
