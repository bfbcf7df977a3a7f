/// What happens to tables, columns, indexes and triggers.
extension StoreDamage {
  static let schema: [Mutation] = [
    { $0.dropColumn() }, { $0.renameColumn() }, { $0.addColumn() }, { $0.dropTable() },
    { $0.renameTable() }, { $0.dropIndex() }, { $0.view() }, { $0.trigger() }, { $0.trigger() },
    { $0.rebuild() }, { $0.rebuild() }, { $0.many() }, { $0.pragma() }, { $0.addTable() },
    { $0.addIndex() },
  ]

  /// A name as nobody gives it.
  private mutating func oddName() -> String {
    pick([
      "x", "", " ", "a''b", "a\nb", "\u{1B}[31mred", "ä", "Z_PK", "rowid", "select", "ZNUMBER",
      String(repeating: "n", count: 5_000), "a.b", "'", "%s", "\u{202E}abc", "sqlit",
    ]).replacing("\"", with: "\"\"")
  }

  private mutating func dropColumn() -> String {
    let table = table()
    let column = column(of: table)
    let indexes = connection().texts(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%\(column)%'")
    let drops = indexes.map { "DROP INDEX \"\($0)\"; " }.joined()
    return run("\(drops)ALTER TABLE \"\(table)\" DROP COLUMN \"\(column)\"")
  }

  private mutating func renameColumn() -> String {
    let table = table()
    return run(
      "ALTER TABLE \"\(table)\" RENAME COLUMN \"\(column(of: table))\" TO \"\(oddName())\"")
  }

  private mutating func addColumn() -> String {
    let type = pick([
      "INTEGER", "VARCHAR NOT NULL DEFAULT 'x'", "BLOB", "", "GENERATED ALWAYS AS (1) VIRTUAL",
      "TEXT COLLATE NOCASE", "INTEGER CHECK (1 = 0)", "INTEGER REFERENCES x(y)",
      "INTEGER DEFAULT 5",
    ])
    return run("ALTER TABLE \"\(table())\" ADD COLUMN \"\(oddName())\" \(type)")
  }

  private mutating func dropTable() -> String { run("DROP TABLE \"\(table())\"") }

  private mutating func renameTable() -> String {
    let name = once(in: 3) ? "Z_2BOOKS" : oddName()
    return run("ALTER TABLE \"\(table())\" RENAME TO \"\(name)\"")
  }

  private mutating func dropIndex() -> String {
    let names = connection().texts(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
    return run("DROP INDEX \"\(pick(names, or: "none"))\"")
  }

  private mutating func view() -> String {
    let table = table()
    let body = pick([
      "SELECT * FROM \"\(table)_\"", "SELECT * FROM \"\(table)\"", "SELECT 1 AS Z_PK",
      "SELECT a.* FROM \"\(table)_\" AS a, \"\(table)_\" AS b",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT a.* FROM n,"
        + " \"\(table)_\" AS a",
    ])
    return run(
      "ALTER TABLE \"\(table)\" RENAME TO \"\(table)_\"; CREATE VIEW \"\(table)\" AS \(body)")
  }

  private mutating func trigger() -> String {
    let (table, other) = (table(), table())
    let event = pick([
      "BEFORE INSERT", "AFTER INSERT", "BEFORE UPDATE", "AFTER UPDATE", "BEFORE DELETE",
      "AFTER DELETE", "AFTER UPDATE OF Z_MAX", "AFTER UPDATE OF Z_OPT",
    ])
    // Keys are taken in a transaction of their own: no save answers for what a trigger deletes there.
    let deletion = table == "Z_PRIMARYKEY" ? "SELECT 1" : "DELETE FROM \"\(other)\""
    let action = pick([
      "SELECT raise(IGNORE)", "SELECT raise(ABORT, 'no')", "SELECT raise(ROLLBACK, 'no')",
      "SELECT raise(FAIL, 'no')", deletion,
      "UPDATE \"\(table)\" SET Z_OPT = Z_OPT + 1", "UPDATE Z_PRIMARYKEY SET Z_MAX = 1",
      "UPDATE \"\(table)\" SET \"\(column(of: table))\" = \(oddValue())",
      "INSERT INTO nowhere VALUES (1)", "UPDATE Z_METADATA SET Z_PLIST = NULL",
      "INSERT INTO \"\(table)\" SELECT * FROM \"\(table)\"",
    ])
    return run("CREATE TRIGGER t\(below(9)) \(event) ON \"\(table)\" BEGIN \(action); END")
  }

  /// The table once more, with other declarations.
  private mutating func rebuild() -> String {
    let table = table()
    let columns = connection().texts("SELECT name FROM pragma_table_info('\(table)')")
    let keeps = once(in: 2)
    let chosen = pick(columns, or: "x")
    let declarations = columns.map { name in
      let type = name == chosen || !keeps ? oddType() : name == "Z_PK" ? "INTEGER PRIMARY KEY" : ""
      return "\"\(name)\" \(type)"
    }
    let ending = once(in: 8) ? " STRICT" : ""
    let twins = once(in: 2) ? "; INSERT OR IGNORE INTO \"\(table)\" SELECT * FROM t" : ""
    return run(
      "CREATE TABLE t AS SELECT * FROM \"\(table)\"; DROP TABLE \"\(table)\"; CREATE TABLE"
        + " \"\(table)\" (\(declarations.joined(separator: ", ")))\(ending);"
        + " INSERT OR IGNORE INTO \"\(table)\" SELECT * FROM t\(twins)")
  }

  private mutating func oddType() -> String {
    pick([
      "", "TEXT", "INTEGER", "REAL", "BLOB", "NUMERIC", "VARCHAR COLLATE NOCASE",
      "VARCHAR COLLATE RTRIM", "INTEGER NOT NULL", "INTEGER UNIQUE", "ANY", "FLOAT",
      "INTEGER CHECK (1)", "INTEGER PRIMARY KEY", "INTEGER PRIMARY KEY DESC",
      "TIMESTAMP DEFAULT 'x'",
    ])
  }

  private mutating func many() -> String {
    let connection = connection()
    switch below(3) {
    case 0:
      connection.run("BEGIN")
      for number in 0..<300 { connection.run("CREATE TABLE ZMANY\(number) (Z_PK INTEGER)") }
      connection.run("COMMIT")
      return "300 tables more"
    case 1:
      let table = rowTable()
      connection.run("BEGIN")
      for number in 0..<400 { connection.run("ALTER TABLE \"\(table)\" ADD COLUMN m\(number)") }
      connection.run("COMMIT")
      return "400 columns more in \(table)"
    default:
      let table = rowTable()
      connection.run("BEGIN")
      for number in 0..<200 { connection.run("CREATE INDEX m\(number) ON \"\(table)\" (Z_PK)") }
      connection.run("COMMIT")
      return "200 indexes more on \(table)"
    }
  }

  private mutating func pragma() -> String {
    run(
      pick([
        "PRAGMA user_version = -5", "PRAGMA application_id = 77", "PRAGMA journal_mode = DELETE",
        "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM",
        "PRAGMA journal_mode = DELETE; PRAGMA page_size = 65536; VACUUM",
        "PRAGMA schema_version = 1", "PRAGMA auto_vacuum = 0; VACUUM",
        "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = 1; VACUUM",
        "PRAGMA schema_version = -1", "PRAGMA default_cache_size = 1",
      ]))
  }

  private mutating func addTable() -> String {
    run(
      pick([
        "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)",
        "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)",
        "CREATE TABLE \"\(oddName())\" (a, b, c)",
        "CREATE VIRTUAL TABLE v USING fts5(a)",
        "CREATE VIRTUAL TABLE v USING rtree(a, b, c)",
        "CREATE VIEW v AS SELECT * FROM nowhere",
        "CREATE TABLE z (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO z VALUES (5)",
        "CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
        "ANALYZE; UPDATE sqlite_stat1 SET stat = '\(oddName())'",
        "ANALYZE; UPDATE sqlite_stat1 SET stat = '999999999 1 1 1 1'",
      ]))
  }

  private mutating func addIndex() -> String {
    let table = table()
    let column = column(of: table)
    let unique = once(in: 2) ? "UNIQUE " : ""
    let ending = pick(["", " COLLATE NOCASE", " DESC", ") WHERE (1", " + 1"])
    return run(
      "CREATE \(unique)INDEX \"\(oddName())\" ON \"\(table)\" (\"\(column)\"\(ending))")
  }
}
