import CauldronModel

/// How a table becomes one of the new model where it is: added columns, one statement that fills
/// them, and renamed or dropped columns.
///
/// It takes about half the time of writing the table anew. Indexes on columns that do not change stay.
struct TableAlteration {
  /// One more column that goes takes as long as writing the table anew.
  private static let mostDropped = 1

  let table: TableSchema
  let old: TableSchema
  private(set) var added: [ColumnSchema] = []
  /// What the columns are set to, by the names before they are renamed; `Z_ENT` among them.
  private(set) var settings: [(name: String, value: SQLFragment)] = []
  private(set) var renamed: [(old: String, new: String)] = []
  private(set) var dropped: [String] = []
  /// The indexes of the file that stay.
  private(set) var keptIndexes: Set<String> = []
  /// The names of those that do not.
  private(set) var droppedIndexes: [String] = []

  /// - Parameter value: What a column of the new table is filled with.
  /// - Returns: Nil where the table must be written anew.
  init?(
    _ migration: TableMigration, _ old: TableSchema, _ file: FileTables,
    _ value: (ColumnSchema) -> SQLFragment
  ) {
    guard file.isPlain, let found = file[old.name], migration.keepsEntities(of: old) else {
      return nil
    }
    table = migration.table
    self.old = old
    guard match(migration, with: found, value: value) else { return nil }
    let number = migration.entityNumber
    if number.text != "Z_ENT" { settings.append(("Z_ENT", number)) }
    guard settings.allSatisfy({ $0.value.standsAlone }), hasFreeNames(found),
      dropped.count <= Self.mostDropped
    else { return nil }
    chooseIndexes(found)
  }

  /// Whether the table serves as it is.
  var isNothing: Bool { expansion.isEmpty && contraction.isEmpty && droppedIndexes.isEmpty }

  /// The name of the table in the file, as SQL takes it.
  private var name: String { old.sqlName }

  /// Whether rows are written.
  var writesRows: Bool { !settings.isEmpty || !dropped.isEmpty }

  /// Adds, fills and renames.
  var expansion: [SQLFragment] {
    var list = added.map { column in
      SQLFragment(
        sql: "ALTER TABLE \(name) ADD COLUMN \(SQLIdentifier.quoted(column.name)) \(column.type)")
    }
    if !settings.isEmpty {
      let terms = settings.map { name, value -> SQLFragment in
        "\(sql: SQLIdentifier.quoted(name)) = \(value)"
      }
      list.append("UPDATE \(sql: name) SET \(terms.joined(by: ", "))")
    }
    list += renamed.map { old, new in
      SQLFragment(
        sql: "ALTER TABLE \(name) RENAME COLUMN \(SQLIdentifier.quoted(old)) TO"
          + " \(SQLIdentifier.quoted(new))")
    }
    if table.name != old.name {
      list.append(SQLFragment(sql: "ALTER TABLE \(name) RENAME TO \(table.sqlName)"))
    }
    return list
  }

  /// Takes away what went, and makes the indexes.
  var contraction: [SQLFragment] {
    let columns = dropped.map {
      "ALTER TABLE \(table.sqlName) DROP COLUMN \(SQLIdentifier.quoted($0))"
    }
    let indexes = table.creationStatements.dropFirst().filter { !keptIndexes.contains($0) }
    return (columns + indexes).map { SQLFragment(sql: $0) }
  }

  /// Finds for each column what it goes on with.
  private mutating func match(
    _ migration: TableMigration, with found: FileTables.Table, value: (ColumnSchema) -> SQLFragment
  ) -> Bool {
    var left = Set(found.columns.keys).subtracting(["Z_PK", "Z_ENT", "Z_OPT"])
    var mine = Set<String>()
    for column in table.columns {
      let origins = migration.origins(of: column)
      let filling = value(column)
      guard let position = origins.first else {
        added.append(column)
        if filling.text != "NULL" { settings.append((column.name, filling)) }
        continue
      }
      let name = old.columns[position].name
      guard origins.count == 1, mine.insert(name).inserted,
        left.remove(name.uppercased()) != nil, found.columns[name.uppercased()] == column.type
      else { return false }
      if filling.text != SQLIdentifier.quoted(name) { settings.append((name, filling)) }
      if name.uppercased() != column.name.uppercased() { renamed.append((name, column.name)) }
    }
    let known = Dictionary(old.columns.map { ($0.name.uppercased(), $0.name) }) { $1 }
    dropped = left.compactMap { known[$0] }.sorted()
    // What nobody knows a fresh store would not have.
    return dropped.count == left.count
  }

  /// Whether every new name is one that the table has not yet.
  private func hasFreeNames(_ found: FileTables.Table) -> Bool {
    (added.map(\.name) + renamed.map(\.new)).allSatisfy { found.columns[$0.uppercased()] == nil }
  }

  /// An index stays if the new model has just that one, or nobody knows it, and nothing of it changes.
  private mutating func chooseIndexes(_ found: FileTables.Table) {
    let changed = Set((settings.map(\.name) + renamed.map(\.old) + dropped).map { $0.uppercased() })
    let (planned, before) = (table.creationStatements, old.creationStatements)
    for index in found.indexes {
      let isSafe = index.columns.map(changed.isDisjoint) ?? changed.isEmpty
      let isKnown = index.isNamed(in: planned) || index.isNamed(in: before)
      if isSafe, planned.contains(index.sql) {
        keptIndexes.insert(index.sql)
      } else if isKnown || !isSafe || table.name != old.name {
        droppedIndexes.append(index.name)
      }
    }
  }
}

extension FileTables.Index {
  /// Whether one of some statements makes an index of the name.
  fileprivate func isNamed(in statements: [String]) -> Bool {
    let name = SQLIdentifier.quoted(name).uppercased()
    return statements.contains { statement in
      let text = statement.uppercased()
      return text.hasPrefix("CREATE INDEX \(name) ON ")
        || text.hasPrefix("CREATE UNIQUE INDEX \(name) ON ")
    }
  }
}

extension SQLFragment {
  /// Whether a row's value depends on that row alone: UPDATE takes no others, and other tables may have
  /// another name by then.
  fileprivate var standsAlone: Bool { !text.contains(" OVER ") && !text.contains("SELECT ") }
}

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
