import SystemSQLite

/// Common questions in SQL, as our store's tables want them.
enum RawQueries {
  private static let item =
    "Z_PK, ZNAME, ZCITY, ZEMAIL, ZTITLE, ZAGE, ZSCORE, ZCOUNT, ZHEIGHT, ZWEIGHT, ZFLAG"

  static let byKey = "SELECT \(item) FROM ZITEM WHERE Z_PK = ?"
  static let byScore = "SELECT \(item) FROM ZITEM WHERE ZSCORE = ?"
  static let byRange = "SELECT \(item) FROM ZITEM WHERE ZSCORE >= ? AND ZSCORE < ? ORDER BY Z_PK"
  static let byPrefix =
    "SELECT \(item) FROM ZITEM WHERE ZNAME >= 'ab' AND ZNAME < 'ac' ORDER BY Z_PK"
  static let firstByName = "SELECT \(item) FROM ZITEM WHERE ZAGE < 45 ORDER BY ZNAME, Z_PK LIMIT 20"
  static let count = "SELECT count(*) FROM ZITEM WHERE ZAGE < 45 AND ZFLAG = 1"
  static let join = """
    SELECT p.Z_PK, p.ZNUMBER FROM ZPART p JOIN ZBOX b ON b.Z_PK = p.ZBOX WHERE b.ZLABEL = ? \
    ORDER BY p.Z_PK
    """
  static let quantifier = """
    SELECT Z_PK, ZLABEL FROM ZBOX WHERE EXISTS \
    (SELECT 1 FROM ZPART WHERE ZBOX = ZBOX.Z_PK AND ZNUMBER >= ?) ORDER BY Z_PK
    """
  static let groups = "SELECT ZAGE, avg(ZCOUNT) FROM ZITEM GROUP BY ZAGE ORDER BY ZAGE"
  static let columns = "SELECT ZNAME, ZAGE FROM ZITEM ORDER BY Z_PK"

  /// What depends on the lines of a statement, which are kept as tuples of a text and a number until
  /// all have come.
  static func pairs(_ statement: RawStatement) -> Int {
    let row = statement.pointer
    var pairs: [(String, Int)] = []
    while sqlite3_step(row) == SQLITE_ROW {
      pairs.append((RawItems.text(row, 0), Int(sqlite3_column_int64(row, 1))))
    }
    sqlite3_reset(row)
    return pairs.reduce(0) { $0 &+ $1.0.utf8.count &+ $1.1 }
  }

  /// The same for numbers, and averages.
  static func averages(_ statement: RawStatement) -> Int {
    let row = statement.pointer
    var lines: [(Int, Double)] = []
    while sqlite3_step(row) == SQLITE_ROW {
      lines.append((Int(sqlite3_column_int64(row, 0)), sqlite3_column_double(row, 1)))
    }
    sqlite3_reset(row)
    return lines.reduce(0) { $0 &+ $1.0 &+ Int($1.1) }
  }

  /// The second column of each line, as numbers.
  static func numbers(_ statement: RawStatement) -> Int {
    let row = statement.pointer
    var numbers: [(Int64, Int)] = []
    while sqlite3_step(row) == SQLITE_ROW {
      numbers.append((sqlite3_column_int64(row, 0), Int(sqlite3_column_int64(row, 1))))
    }
    sqlite3_reset(row)
    return numbers.reduce(0) { $0 &+ $1.1 }
  }

  /// The second column of each line, as texts.
  static func texts(_ statement: RawStatement) -> Int {
    let row = statement.pointer
    var texts: [(Int64, String)] = []
    while sqlite3_step(row) == SQLITE_ROW {
      texts.append((sqlite3_column_int64(row, 0), RawItems.text(row, 1)))
    }
    sqlite3_reset(row)
    return texts.reduce(0) { $0 &+ $1.1.utf8.count }
  }

  static func items(_ statement: RawStatement) -> Int {
    RawItems.fetch(statement).reduce(0) { $0 &+ $1.digest }
  }
}

extension RawStatement {
  func bind(_ values: Int...) -> Self {
    for (place, value) in values.enumerated() {
      sqlite3_bind_int64(pointer, Int32(place + 1), Int64(value))
    }
    return self
  }

  func bind(_ text: String) -> Self {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(pointer, 1, text, -1, transient)
    return self
  }
}
