import SystemSQLite

extension RawItems {
  private static let columns =
    "Z_PK, ZNAME, ZCITY, ZEMAIL, ZTITLE, ZAGE, ZSCORE, ZCOUNT, ZHEIGHT, ZWEIGHT, ZFLAG"

  static let selection = "SELECT \(columns) FROM ZITEM"
  static let pointSelection = "SELECT \(columns) FROM ZITEM WHERE Z_PK = ?"

  /// All rows of a statement as structs.
  static func fetch(_ statement: RawStatement) -> [ItemValues] {
    let row = statement.pointer
    var items: [ItemValues] = []
    while sqlite3_step(row) == SQLITE_ROW { items.append(decode(row)) }
    sqlite3_reset(row)
    return items
  }

  /// What depends on every value of every row, taken as the rows pass by; no text becomes a String.
  static func digest(_ statement: RawStatement) -> Int {
    let row = statement.pointer
    var sum = 0
    while sqlite3_step(row) == SQLITE_ROW {
      for column in Int32(1)...4 {
        _ = sqlite3_column_text(row, column)
        sum &+= Int(sqlite3_column_bytes(row, column))
      }
      for column in Int32(5)...7 { sum &+= Int(sqlite3_column_int64(row, column)) }
      sum &+= Int(sqlite3_column_double(row, 8)) &+ Int(sqlite3_column_double(row, 9))
      sum &+= sqlite3_column_int64(row, 10) != 0 ? 1 : 0
    }
    sqlite3_reset(row)
    return sum
  }

  /// The row with a key.
  static func read(_ key: Int64, _ statement: RawStatement) -> ItemValues? {
    let row = statement.pointer
    sqlite3_bind_int64(row, 1, key)
    defer { sqlite3_reset(row) }
    return sqlite3_step(row) == SQLITE_ROW ? decode(row) : nil
  }

  /// Two columns and nothing else.
  static func fetchPairs(_ statement: RawStatement) -> [(Int64, String, Int)] {
    let row = statement.pointer
    var pairs: [(Int64, String, Int)] = []
    while sqlite3_step(row) == SQLITE_ROW {
      pairs.append(
        (
          sqlite3_column_int64(row, 0), text(row, 1),
          Int(sqlite3_column_int64(row, 2))
        ))
    }
    sqlite3_reset(row)
    return pairs
  }

  /// One column of integers.
  static func fetchIntegers(_ statement: RawStatement) -> [Int64] {
    let row = statement.pointer
    var integers: [Int64] = []
    while sqlite3_step(row) == SQLITE_ROW {
      integers.append(sqlite3_column_int64(row, 0))
    }
    sqlite3_reset(row)
    return integers
  }

  private static func decode(_ row: OpaquePointer) -> ItemValues {
    ItemValues(
      key: sqlite3_column_int64(row, 0), name: text(row, 1), city: text(row, 2),
      email: text(row, 3), title: text(row, 4), age: Int(sqlite3_column_int64(row, 5)),
      score: Int(sqlite3_column_int64(row, 6)), count: Int(sqlite3_column_int64(row, 7)),
      height: sqlite3_column_double(row, 8), weight: sqlite3_column_double(row, 9),
      flag: sqlite3_column_int64(row, 10) != 0)
  }

  static func text(_ row: OpaquePointer, _ column: Int32) -> String {
    guard let start = sqlite3_column_text(row, column) else { return "" }
    let count = Int(sqlite3_column_bytes(row, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
