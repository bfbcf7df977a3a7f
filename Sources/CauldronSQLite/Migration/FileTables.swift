import CauldronModel

/// What the tables of a file look like, which decides whether they can be altered where they are.
struct FileTables {
  struct Index {
    let name: String
    let sql: String
    /// The names of its columns, in capitals; nil where one is an expression.
    let columns: Set<String>?
  }

  struct Table {
    /// The declared types of the columns, by their names in capitals.
    var columns: [String: String] = [:]
    /// The indexes that somebody has made.
    var indexes: [Index] = []
  }

  /// The tables by their names in capitals.
  private(set) var tables: [String: Table] = [:]
  /// Whether there is nothing but tables and indexes: a view may name columns that change.
  private(set) var isPlain = true

  /// Reads the names; costs three statements.
  init(_ connection: Connection) throws {
    isPlain =
      try connection.integer(
        "SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger')") == 0
    try readColumns(connection)
    try readIndexes(connection)
  }

  subscript(name: String) -> Table? { tables[name.uppercased()] }

  /// Whether a table has the indexes of its unique keys.
  func hasConstraints(of table: TableSchema) -> Bool {
    let found = Set((self[table.name]?.indexes ?? []).map { $0.name.uppercased() })
    return table.constraints.allSatisfy { found.contains($0.name.uppercased()) }
  }

  private mutating func readColumns(_ connection: Connection) throws {
    let statement = try Statement(
      connection.handle,
      "SELECT m.name, c.name, c.type, c.pk, c.\"notnull\" OR c.hidden OR c.dflt_value NOT NULL"
        + " FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS c WHERE m.type = 'table'")
    while try statement.step() {
      // What a fresh store would not have there is no column like another.
      let isOdd = statement.integer(4) != 0
      tables[statement.text(0).uppercased(), default: Table()]
        .columns[statement.text(1).uppercased()] =
        isOdd ? "odd" : statement.text(2).uppercased()
    }
  }

  private mutating func readIndexes(_ connection: Connection) throws {
    let statement = try Statement(
      connection.handle,
      "SELECT tbl_name, name, sql, (SELECT group_concat(ifnull(upper(c.name), ''), char(0))"
        + " FROM pragma_index_info(m.name) AS c) FROM sqlite_master AS m"
        + " WHERE type = 'index' AND sql NOT NULL")
    while try statement.step() {
      let columns = statement.text(3).split(separator: "\0", omittingEmptySubsequences: false)
        .map(String.init)
      tables[statement.text(0).uppercased(), default: Table()].indexes.append(
        Index(
          name: statement.text(1), sql: statement.text(2),
          columns: columns.contains("") ? nil : Set(columns)))
    }
  }
}
