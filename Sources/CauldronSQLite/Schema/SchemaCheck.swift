import CauldronModel

/// Compares the planned tables with those of a file, and takes over the file's column names.
struct SchemaCheck {
  let connection: Connection
  let planned: StoreSchema

  /// The schema as the file has it; costs a statement a table, some for each join, and two more.
  /// - Throws: A sentence about what is missing.
  func resolve() throws -> Result<StoreSchema, Mismatch> {
    let numbers = try EntityNumbers(connection)
    if let mismatch = numbers.mismatch(with: planned.model) { return .failure(mismatch) }
    return try numbered(by: numbers).resolveTables()
  }

  /// The check of the tables as they are planned with the numbers of the file.
  func numbered(by numbers: EntityNumbers) throws -> SchemaCheck {
    let found = FileNumbers(numbers.complete(for: planned.model))
    if found.areSame && planned.numbers.areSame { return self }
    return SchemaCheck(
      connection: connection, planned: try StoreSchema(model: planned.model, numbers: found))
  }

  private func resolveTables() throws -> Result<StoreSchema, Mismatch> {
    let joins = try resolveJoins()
    var tables: [TableSchema] = []
    for table in planned.tables {
      if table.isJoin {
        switch joins[table.rootNumber] {
        case .success(let found):
          if let mismatch = try wrongKey(in: found) { return .failure(mismatch) }
          tables.append(found)
        case .failure(let mismatch): return .failure(mismatch)
        case nil: tables.append(table)
        }
        continue
      }
      let found = try columns(of: table)
      guard !found.isEmpty else {
        return .failure(Mismatch(what: "table \(table.name) is missing"))
      }
      var resolved = table
      for (index, column) in table.columns.enumerated() {
        guard let name = Self.find(column, among: found.map(\.name)) else {
          return .failure(
            Mismatch(
              what: "table \(table.name) has no column \(column.name)", hint: Self.otherProgram))
        }
        resolved.columns[index].name = name
      }
      if let mismatch = try tellTwinsApart(&resolved, found) { return .failure(mismatch) }
      tables.append(resolved)
    }
    return .success(
      StoreSchema(model: planned.model, numbers: planned.numbers, tables: tables))
  }

  /// A column of the file.
  struct FoundColumn {
    let name: String
    let type: String
  }

  /// The remedy where rows are whole, as far as is known, and lie in tables of another form.
  static let otherProgram =
    "Open it with the program that made it; `cauldron verify` names all that differs."

  /// What a file lacks.
  struct Mismatch: Error {
    let what: String
    var code = CauldronError.Code.storeCorrupt
    var hint = "Restore a copy with `cauldron restore`."
  }

  /// A table's columns; none where there is no such table, or a view in its place.
  func columns(of table: TableSchema) throws -> [FoundColumn] {
    let name = SQLIdentifier.literal(table.name)
    let statement = try Statement(
      connection.handle,
      "SELECT c.name, c.type FROM sqlite_master AS m, pragma_table_info(m.name) AS c"
        + " WHERE m.type = 'table' AND m.name = \(name) COLLATE NOCASE")
    var columns: [FoundColumn] = []
    while try statement.step() {
      columns.append(FoundColumn(name: statement.text(0), type: statement.text(1).uppercased()))
    }
    return columns
  }

  static func find(_ column: ColumnSchema, among names: [String]) -> String? {
    for candidate in [column.name] + column.alternatives {
      if let name = names.first(where: { $0.uppercased() == candidate.uppercased() }) {
        return name
      }
    }
    return column.role == .entityKey ? names.first { isEntityKey($0, column) } : nil
  }

  /// Whether a name is `Z<n>_<REL>` with some other number than the planned one.
  private static func isEntityKey(_ name: String, _ column: ColumnSchema) -> Bool {
    guard let tail = column.name.firstIndex(of: "_") else { return false }
    let digits = name.dropFirst().prefix { $0.isNumber }
    return name.hasPrefix("Z") && !digits.isEmpty
      && name.dropFirst(1 + digits.count) == column.name[tail...]
  }
}
