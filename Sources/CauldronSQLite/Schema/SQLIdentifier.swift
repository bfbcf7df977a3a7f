/// Names of tables and columns, and how they are written in SQL.
enum SQLIdentifier {
  /// The name of a table or column: `Z` and the name in capitals.
  static func name(_ name: String) -> String { "Z" + name.uppercased() }

  /// The name as SQL takes it; quoted only where it must be, so that schemas read like Core Data's.
  ///
  /// No keyword of SQLite begins with Z, so plain names need no quotes
  /// (https://www.sqlite.org/lang_keywords.html).
  static func quoted(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
    if isPlain && name.utf8.first == UInt8(ascii: "Z") { return name }
    return "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// The string as an SQL literal.
  static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}
