import CauldronModel

/// Compares the planned tables with those of a file, and takes over the file's column names.
struct SchemaCheck {
  let connection: Connection
  let planned: StoreSchema

  /// The schema as the file has it; costs a statement a table and two more.
  /// - Throws: A sentence about what is missing.
  func resolve() throws -> Result<StoreSchema, Mismatch> {
    if let mismatch = try numbers() { return .failure(mismatch) }
    var tables: [TableSchema] = []
    for table in planned.tables {
      if table.isJoin {
        switch try resolve(join: table) {
        case .success(let found): tables.append(found)
        case .failure(let mismatch): return .failure(mismatch)
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
          return .failure(Mismatch(what: "table \(table.name) has no column \(column.name)"))
        }
        resolved.columns[index].name = name
      }
      if let mismatch = try tellTwinsApart(&resolved, found) { return .failure(mismatch) }
      tables.append(resolved)
    }
    return .success(StoreSchema(model: planned.model, tables: tables))
  }

  /// A column of the file.
  struct FoundColumn {
    let name: String
    let type: String
  }

  /// What a file lacks.
  struct Mismatch: Error {
    let what: String
    var code = CauldronError.Code.storeCorrupt
    var hint = "Restore a copy with `cauldron restore`."
  }

  /// Checks the entity numbers, which every row and key carries.
  private func numbers() throws -> Mismatch? {
    let statement = try Statement(
      connection.handle, "SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY")
    var numbers: [String: Int64] = [:]
    while try statement.step() { numbers[statement.text(0)] = statement.integer(1) }
    for layout in planned.model.entityLayouts {
      if let number = numbers[layout.name], number != Int64(layout.number) {
        return Mismatch(
          what: "\(layout.name) has the number \(number) there and \(layout.number) in the model")
      }
      // Core Data's migration keeps the old name of an entity that was renamed.
      guard numbers.values.contains(Int64(layout.number)) else {
        return Mismatch(what: "Z_PRIMARYKEY has no row for \(layout.name)")
      }
    }
    return nil
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
