import SystemSQLite

/// Links and trees by the C API, in the tables that our store makes for them.
enum RawRelations {
  static let linkSchema = """
    CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER );
    CREATE TABLE ZLABEL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
    ZNUMBER INTEGER );
    CREATE TABLE Z_1NOTES ( Z_1LABELS INTEGER, Z_2NOTES INTEGER,
    PRIMARY KEY (Z_1LABELS, Z_2NOTES) );
    CREATE INDEX Z_1NOTES_Z_2NOTES_INDEX ON Z_1NOTES (Z_2NOTES, Z_1LABELS);
    """

  static let link = "INSERT INTO Z_1NOTES VALUES (?, ?)"

  static let treeSchema = """
    CREATE TABLE ZTWIG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
    ZNUMBER INTEGER, ZSTEM INTEGER );
    CREATE INDEX ZTWIG_ZSTEM_INDEX ON ZTWIG (ZSTEM);
    """

  static let twig = "INSERT INTO ZTWIG VALUES (?, 1, 1, ?, ?)"

  /// What somebody would write who knows the tree.
  static let fell = """
    WITH RECURSIVE twigs(key) AS ( SELECT 1 UNION ALL SELECT Z_PK FROM ZTWIG JOIN twigs ON ZSTEM = key )
    DELETE FROM ZTWIG WHERE Z_PK IN twigs
    """

  /// Runs a statement for each pair of numbers, in one transaction.
  static func run(_ statement: RawStatement, _ pairs: [(Int64, Int64)]) throws {
    try statement.database.transaction {
      for (first, second) in pairs {
        sqlite3_bind_int64(statement.pointer, 1, first)
        sqlite3_bind_int64(statement.pointer, 2, second)
        try statement.run()
      }
    }
  }

  /// Sows twigs that nothing bears.
  static func sow(_ count: Int, _ database: RawDatabase) throws {
    let statement = try database.prepare(twig)
    try database.transaction {
      for number in 0..<Int64(count) {
        sqlite3_bind_int64(statement.pointer, 1, number + 1)
        sqlite3_bind_int64(statement.pointer, 2, number)
        try statement.run()
      }
    }
  }

  /// Gives new twigs to the first ones, whose versions grow, in one transaction.
  static func give(_ count: Int, to stems: Int, _ database: RawDatabase) throws {
    let statement = try database.prepare(twig)
    let stems = Int64(stems)
    try database.transaction {
      for number in 0..<Int64(count) {
        sqlite3_bind_int64(statement.pointer, 1, stems + number + 1)
        sqlite3_bind_int64(statement.pointer, 2, number)
        sqlite3_bind_int64(statement.pointer, 3, number % stems + 1)
        try statement.run()
      }
      try database.execute("UPDATE ZTWIG SET Z_OPT = Z_OPT + 1 WHERE Z_PK <= \(stems)")
    }
  }

  /// Plants a tree in which each twig bears ten.
  static func plant(_ count: Int, _ database: RawDatabase) throws {
    let statement = try database.prepare(twig)
    try database.transaction {
      for number in 0..<Int64(count) {
        sqlite3_bind_int64(statement.pointer, 1, number + 1)
        sqlite3_bind_int64(statement.pointer, 2, number)
        if number > 0 { sqlite3_bind_int64(statement.pointer, 3, (number - 1) / 10 + 1) }
        try statement.run()
      }
    }
  }
}
