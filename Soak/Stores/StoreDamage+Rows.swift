/// What happens to values, keys and counters.
extension StoreDamage {
  static let rows: [Mutation] = [
    { $0.cell() }, { $0.cell() }, { $0.cell() }, { $0.link() }, { $0.link() }, { $0.twins() },
    { $0.delete() }, { $0.copyRow() },
  ]

  static let keys: [Mutation] = [
    { $0.entityNumber() }, { $0.version() }, { $0.primaryKey() }, { $0.counter() },
    { $0.counter() }, { $0.counterRow() },
  ]

  private mutating func set(_ table: String, _ column: String, _ value: String) -> String {
    let some = some(of: table)
    return run("UPDATE OR IGNORE \"\(table)\" SET \"\(column)\" = \(value)\(some)")
  }

  private mutating func cell() -> String {
    let table = rowTable()
    return set(table, column(of: table), oddValue())
  }

  /// A reference to nothing, to another object, or no integer.
  private mutating func link() -> String {
    let table = rowTable()
    let names = connection().texts(
      "SELECT name FROM pragma_table_info('\(table)') WHERE name LIKE 'Z\\_%' ESCAPE '\\'"
        + " OR name IN ('ZOWNER', 'ZPARENT', 'ZAUTHOR')")
    let value = pick(["999999", "-5", "0", "'abc'", "NULL", "1", "2", "x'01'", "1.5", oddValue()])
    return set(table, pick(names, or: "Z_PK"), value)
  }

  /// The same value in many rows, also where it is unique.
  private mutating func twins() -> String {
    let indexes = connection().texts(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
    let drop = once(in: 2) ? "DROP INDEX IF EXISTS \"\(pick(indexes, or: "none"))\"; " : ""
    let table = rowTable()
    return run("\(drop)UPDATE OR IGNORE \"\(table)\" SET \"\(column(of: table))\" = 1")
  }

  private mutating func delete() -> String {
    let table = table()
    return run("DELETE FROM \"\(table)\"\(some(of: table))")
  }

  /// A row a second time, under another key.
  private mutating func copyRow() -> String {
    let table = rowTable()
    let names = connection().texts("SELECT name FROM pragma_table_info('\(table)')")
    let key = pick([
      "Z_PK + 100000", "-Z_PK", "Z_PK + 9223372036854770000", "0", "Z_PK + 5000000000",
    ])
    let cells = names.map { $0 == "Z_PK" ? key : "\"\($0)\"" }.joined(separator: ", ")
    return run(
      "INSERT OR IGNORE INTO \"\(table)\" SELECT \(cells) FROM \"\(table)\"\(some(of: table))")
  }

  private mutating func entityNumber() -> String {
    let value = pick([
      "0", "-1", "2", "3", "99", "16001", "NULL", "'x'", "9223372036854775807", "1.5",
      "-9223372036854775808", "65537", "4294967297", "x'01'",
    ])
    return set(rowTable(), "Z_ENT", value)
  }

  private mutating func version() -> String {
    let value = pick([
      "'abc'", "NULL", "-1", "0", "9223372036854775807", "-9223372036854775808", "1.5", "x'00'",
      "4294967295", "'5'", "9e999",
    ])
    return set(rowTable(), "Z_OPT", value)
  }

  private mutating func primaryKey() -> String {
    let value = pick([
      "-Z_PK", "0", "9223372036854775807", "-9223372036854775808", "Z_PK + 3000000000",
      "9223372036854775806", "Z_PK + 1",
    ])
    return set(rowTable(), "Z_PK", value)
  }

  private mutating func counter() -> String {
    let value = pick([
      "9223372036854775807", "-9223372036854775808", "9223372036854775806", "'abc'", "NULL", "0",
      "-1", "1.5", "9e999", "x'ff'", "9223372036854775000", "'7'", "'9223372036854775807'", "1",
    ])
    return set("Z_PRIMARYKEY", "Z_MAX", value)
  }

  private mutating func counterRow() -> String {
    switch below(6) {
    case 0: return run("DELETE FROM Z_PRIMARYKEY\(some(of: "Z_PRIMARYKEY"))")
    case 1: return set("Z_PRIMARYKEY", "Z_NAME", pick(["NULL", "'Other'", "''", oddValue()]))
    case 2: return set("Z_PRIMARYKEY", "Z_SUPER", pick(["1", "2", "3", "-1", "NULL", "'x'"]))
    case 3:
      return set("Z_PRIMARYKEY", "Z_ENT", pick(["Z_ENT + 1", "-1", "99", "70000", oddValue()]))
    case 4:
      return run(
        "INSERT OR IGNORE INTO Z_PRIMARYKEY SELECT Z_ENT + 50, Z_NAME, Z_SUPER, Z_MAX + 5"
          + " FROM Z_PRIMARYKEY")
    default:
      return run(
        "CREATE TABLE k AS SELECT * FROM Z_PRIMARYKEY; DROP TABLE Z_PRIMARYKEY;"
          + " ALTER TABLE k RENAME TO Z_PRIMARYKEY; INSERT INTO Z_PRIMARYKEY SELECT Z_ENT, Z_NAME,"
          + " Z_SUPER, Z_MAX + 10 FROM Z_PRIMARYKEY")
    }
  }
}
