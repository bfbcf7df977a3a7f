/// What happens to the table of all tables, which SQLite itself reads.
extension StoreDamage {
  static let master: [Mutation] = [
    { $0.declaration() }, { $0.declaration() }, { $0.declaration() }, { $0.root() }, { $0.root() },
    { $0.kind() }, { $0.text() }, { $0.masterRow() },
  ]

  private mutating func one(_ type: String = "table") -> String {
    let names = connection().texts(
      "SELECT quote(name) FROM sqlite_schema WHERE type = '\(type)' ORDER BY name")
    return pick(names, or: "'ZTHING'")
  }

  /// Edits a row, and has programs read the schema again.
  private mutating func edit(_ name: String, _ change: String) -> String {
    let connection = connection()
    let sql = "UPDATE sqlite_schema SET \(change) WHERE name = \(name)"
    let version = connection.number("PRAGMA schema_version")
    let ran = connection.run(sql)
    connection.run("PRAGMA schema_version = \(version + 1)")
    return ran ? sql : "\(sql) (fails)"
  }

  /// Other words in a declaration.
  private mutating func declaration() -> String {
    let (old, new) = pick([
      ("INTEGER", "VARCHAR"), ("VARCHAR", "INTEGER"), ("PRIMARY KEY", ""), ("FLOAT", "INTEGER"),
      ("TIMESTAMP", "TEXT"), ("BLOB", "TEXT"), ("DECIMAL", "BLOB"), ("INTEGER", "INTEGER NOT NULL"),
      ("VARCHAR", "VARCHAR COLLATE NOCASE"), ("PRIMARY KEY", "PRIMARY KEY AUTOINCREMENT"),
      ("UNIQUE", ""), (")", ") WITHOUT ROWID"), ("ZNUMBER", "ZOTHER"), ("Z_OPT", "Z_OPTX"),
      ("Z_ENT INTEGER", "Z_ENT AS (1)"), ("Z_OPT INTEGER", "Z_OPT INTEGER CHECK (Z_OPT < 2)"),
      ("INTEGER", "INTEGER DEFAULT (1/0)"), ("CREATE", "CREAT"), ("(", "(("),
      ("VARCHAR", "VARCHAR COLLATE NOWHERE"), ("Z_PK", "Z_ENT"), ("ZNUMBER", "Z_PK"),
      ("CREATE TABLE", "CREATE TEMP TABLE"), ("ZNUMBER", "lower(ZNUMBER)"),
    ])
    return edit(one(pick(["table", "table", "index"])), "sql = replace(sql, '\(old)', '\(new)')")
  }

  /// Another page as the root of a tree.
  private mutating func root() -> String {
    let value = pick([
      "0", "1", "-1", "2", "3", "99999", "NULL", "'x'", "rootpage + 1", "rootpage - 1",
      "4294967297",
      "(SELECT max(rootpage) FROM sqlite_schema)",
    ])
    return edit(one(pick(["table", "index"])), "rootpage = \(value)")
  }

  private mutating func kind() -> String {
    let change = pick([
      "type = 'view'", "type = 'trigger'", "type = 'index'", "type = ''", "type = NULL",
      "name = 'x'", "name = NULL", "name = tbl_name || 'x', tbl_name = tbl_name || 'x'",
      "tbl_name = 'nowhere'", "name = 'sqlite_x'",
    ])
    return edit(one(pick(["table", "index"])), change)
  }

  private mutating func text() -> String {
    let change = pick([
      "sql = NULL", "sql = ''", "sql = x'00ff'", "sql = 5", "sql = 'CREATE TABLE x (y)'",
      "sql = 'CREATE VIEW x AS SELECT 1'", "sql = sql || ' STRICT'",
      "sql = printf('%.*c', 100000, '(')", "sql = sql || '; DROP TABLE Z_METADATA'",
      "sql = 'CREATE VIRTUAL TABLE x USING fts5(y)'",
      "sql = 'CREATE TABLE ' || name || ' AS SELECT 1'",
    ])
    return edit(one(pick(["table", "index"])), change)
  }

  private mutating func masterRow() -> String {
    let connection = connection()
    let sql = pick([
      "DELETE FROM sqlite_schema WHERE name = \(one())",
      "DELETE FROM sqlite_schema WHERE type = 'index'",
      "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = \(one())",
      "INSERT INTO sqlite_schema VALUES ('trigger', 't', 'ZTHING', 0, 'CREATE TRIGGER t AFTER"
        + " UPDATE ON ZTHING BEGIN SELECT nowhere(1); END')",
      "INSERT INTO sqlite_schema VALUES ('table', 'ZNEW', 'ZNEW', 2, 'CREATE TABLE ZNEW (Z_PK)')",
      "DELETE FROM sqlite_schema",
    ])
    let version = connection.number("PRAGMA schema_version")
    let ran = connection.run(sql)
    connection.run("PRAGMA schema_version = \(version + 1)")
    return ran ? sql : "\(sql) (fails)"
  }
}
