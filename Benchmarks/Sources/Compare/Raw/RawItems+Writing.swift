import SystemSQLite

/// Items by the C API, in the table that our store makes for them.
enum RawItems {
  static let schema = """
    CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER,
    ZCOUNT INTEGER, ZFLAG INTEGER, ZSCORE INTEGER, ZHEIGHT FLOAT, ZWEIGHT FLOAT, ZCITY VARCHAR,
    ZEMAIL VARCHAR, ZNAME VARCHAR, ZTITLE VARCHAR )
    """

  static let insertion = "INSERT INTO ZITEM VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"

  /// Inserts items in one transaction.
  static func insert(_ items: [ItemValues], _ statement: RawStatement) throws {
    try statement.database.transaction {
      for item in items { try insert(item, statement) }
    }
  }

  /// Binds the texts where they are: they need not be copied, because the statement runs before
  /// they go away.
  private static func insert(_ item: ItemValues, _ statement: RawStatement) throws {
    let pointer = statement.pointer
    bindNumbers(item, pointer)
    var item = item
    try item.city.withUTF8 { city in
      try item.email.withUTF8 { email in
        try item.name.withUTF8 { name in
          try item.title.withUTF8 { title in
            bind(city, 10, pointer)
            bind(email, 11, pointer)
            bind(name, 12, pointer)
            bind(title, 13, pointer)
            try statement.run()
          }
        }
      }
    }
  }

  /// - Parameter first: How many parameters come before the row's.
  static func bindNumbers(_ item: ItemValues, _ statement: OpaquePointer, _ first: Int32 = 0) {
    sqlite3_bind_int64(statement, first + 1, item.key)
    sqlite3_bind_int64(statement, first + 2, 2)
    sqlite3_bind_int64(statement, first + 3, 1)
    sqlite3_bind_int64(statement, first + 4, Int64(item.age))
    sqlite3_bind_int64(statement, first + 5, Int64(item.count))
    sqlite3_bind_int64(statement, first + 6, item.flag ? 1 : 0)
    sqlite3_bind_int64(statement, first + 7, Int64(item.score))
    sqlite3_bind_double(statement, first + 8, item.height)
    sqlite3_bind_double(statement, first + 9, item.weight)
  }

  private static func bind(
    _ text: UnsafeBufferPointer<UInt8>, _ index: Int32, _ statement: OpaquePointer
  ) {
    text.withMemoryRebound(to: CChar.self) {
      _ = sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), nil)
    }
  }
}
