import CauldronModel

/// Compares the planned tables with those of a file, and takes over the file's column names.
struct SchemaCheck {
  let connection: Connection
  let planned: StoreSchema

  /// The schema as the file has it, as ``resolve()`` finds it.
  /// - Parameter act: What cannot be done without it, such as `open store`.
  /// - Throws: A sentence about what is missing.
  func resolved(to act: String, _ path: String) throws -> StoreSchema {
    switch try resolve() {
    case .success(let schema): return schema
    case .failure(let mismatch):
      throw CauldronError(
        mismatch.code, "Cannot \(act) \"\(path)\": \(mismatch.what).", hint: mismatch.hint
      ).with { $0.path = path }
    }
  }

  /// The schema as the file has it; costs a statement a table, some for each join, and three more.
  func resolve() throws -> Result<StoreSchema, Mismatch> {
    if let problem = try connection.encodingProblem() {
      return .failure(
        Mismatch(what: problem.what, code: .storeUnsupported, hint: Self.otherEncoding))
    }
    if let mismatch = try sharedPage() { return .failure(mismatch) }
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

  /// A page on which two tables or indexes begin: what is written to one, or the end of one, would damage
  /// the other. The first page is that of the schema itself.
  private func sharedPage() throws -> Mismatch? {
    let statement = try Statement(
      connection.handle,
      "SELECT min(name), max(name) FROM (SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0"
        + " UNION ALL SELECT 'sqlite_master', 1) GROUP BY rootpage HAVING count(*) > 1 LIMIT 1")
    guard try statement.step() else { return nil }
    return Mismatch(
      what: "\(statement.text(0)) and \(statement.text(1)) begin on one page of the file")
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
        return .failure(try missing(table))
      }
      var resolved = table
      let names = ColumnNames(found.map(\.name))
      for (index, column) in table.columns.enumerated() {
        guard let name = names.name(of: column) else {
          return .failure(
            Mismatch(
              what: "table \(table.name) has no column \(column.name)", hint: Self.otherProgram))
        }
        resolved.columns[index].name = name
      }
      if let mismatch = try tellTwinsApart(in: &resolved, found: found) {
        return .failure(mismatch)
      }
      let declared = DeclarationCheck(connection: connection, table: resolved, columns: found)
      if let problem = try declared.problems().first {
        return .failure(
          Mismatch(what: problem.what, code: .storeUnsupported, hint: Self.otherForm))
      }
      tables.append(resolved)
    }
    return .success(
      StoreSchema(model: planned.model, numbers: planned.numbers, tables: tables))
  }

  /// A column of the file.
  struct FoundColumn {
    let name: String
    /// The declared type in capitals.
    let type: String
    /// Whether it is part of the primary key.
    let isKey: Bool
    /// Whether its table is a virtual one.
    let isVirtual: Bool
  }

  private func missing(_ table: TableSchema) throws -> Mismatch {
    let view = try connection.integer(
      "SELECT 1 FROM sqlite_master WHERE type = 'view'"
        + " AND name = \(SQLIdentifier.literal(table.name)) COLLATE NOCASE")
    if view == nil {
      return Mismatch(what: "table \(table.name) is missing", hint: Self.missingRows)
    }
    return Mismatch(
      what: "a view is in the place of the table \(table.name)", hint: Self.otherForm)
  }

  /// The remedy where a table is declared otherwise than stores declare it.
  static let otherForm =
    "Copy its rows into a table as Core Data declares it; `cauldron verify` names all that differs."

  /// The remedy where texts are UTF-16.
  static let otherEncoding =
    "Copy it into a file of UTF-8: sqlite3 OLD .dump | sqlite3 NEW."

  /// The remedy where rows are whole, as far as is known, and lie in tables of another form.
  static let otherProgram =
    "Open it with the program that made it; `cauldron verify` names all that differs."

  /// The remedy where rows are in no table of the file.
  static let missingRows =
    "Restore a copy that has it with `cauldron restore`; `cauldron verify` names all that is missing."

  /// The remedy where objects may be whole, and the row about their entity is missing.
  static let missingRow =
    "Write the row again or restore a copy with `cauldron restore`; `cauldron verify` names all that is"
    + " missing."

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
      "SELECT c.name, c.type, c.pk, m.rootpage"
        + " FROM sqlite_master AS m, pragma_table_info(m.name) AS c"
        + " WHERE m.type = 'table' AND m.name = \(name) COLLATE NOCASE")
    var columns: [FoundColumn] = []
    while try statement.step() {
      columns.append(
        FoundColumn(
          name: statement.text(0), type: statement.text(1).uppercased(),
          isKey: statement.integer(2) > 0, isVirtual: statement.integer(3) == 0))
    }
    return columns
  }
}

/// Columns of subentities that are siblings and have properties of one name: `ZTEXT`, `ZTEXT1`.
///
/// Core Data gives the name without a digit to the entity of the lowest number, but migrations and former
/// versions of this library did not. The rows know better: a column that has a value in a row of an entity
/// is that entity's, or its parent's. Where no row tells, the rule holds.
extension SchemaCheck {
  /// Gives each property the column that has its values; answers why that is not possible.
  ///
  /// Costs nothing where no names collide, and else a scan of the table.
  func tellTwinsApart(in table: inout TableSchema, found: [FoundColumn]) throws -> Mismatch? {
    let groups = Self.twins(of: table)
    guard !groups.isEmpty else { return nil }
    let owners = try owners(of: groups.flatMap { $0 }, table)
    for group in groups {
      let orders = Self.orders(of: group.count).filter { order in
        zip(group, order).allSatisfy { column, position in
          isPossible(table.columns[column], for: owners[group[position]] ?? [])
        }
      }
      switch choose(orders, for: group, in: table, found: found) {
      case .success(let order): Self.apply(order, to: group, in: &table, found: found)
      case .failure(let mismatch): return mismatch
      }
    }
    return nil
  }

  /// The positions of columns that share a name but for a number.
  private static func twins(of table: TableSchema) -> [[Int]] {
    var groups: [String: [Int]] = [:]
    for (position, column) in table.columns.enumerated() where !column.role.isCompanion {
      groups[column.base, default: []].append(position)
    }
    return groups.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }

  /// The numbers of the entities whose rows have a value in each column.
  private func owners(of columns: [Int], _ table: TableSchema) throws -> [Int: Set<Int64>] {
    let terms = columns.map { "max(\(table.sqlName($0)) IS NOT NULL)" }
    let statement = try Statement(
      connection.handle,
      "SELECT Z_ENT, \(terms.joined(separator: ", ")) FROM \(table.sqlName) GROUP BY Z_ENT")
    var owners: [Int: Set<Int64>] = [:]
    while try statement.step() {
      for (index, column) in columns.enumerated() where statement.integer(Int32(index + 1)) != 0 {
        owners[column, default: []].insert(statement.integer(0))
      }
    }
    return owners
  }

  /// All orders of so many columns; of more than five only the planned one.
  private static func orders(of count: Int) -> [[Int]] {
    guard count <= 5 else { return [Array(0..<count)] }
    var orders: [[Int]] = [[]]
    for next in 0..<count {
      orders = orders.flatMap { order in
        (0...order.count).map { order[..<$0] + [next] + order[$0...] }.map(Array.init)
      }
    }
    return orders.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether a column may hold the values of rows of some entities.
  private func isPossible(_ column: ColumnSchema, for entities: Set<Int64>) -> Bool {
    guard let owner = planned.model.layout(number: column.owner) else { return false }
    return entities.allSatisfy { number in
      planned.layout(fileNumber: number).map { $0.isKind(of: owner) } ?? false
    }
  }

  /// The only order that is left; of several the planned one, which is Core Data's.
  private func choose(
    _ orders: [[Int]], for group: [Int], in table: TableSchema, found: [FoundColumn]
  ) -> Result<[Int], Mismatch> {
    let names = group.map { table.columns[$0].name }.joined(separator: ", ")
    guard !orders.isEmpty else {
      return .failure(
        Mismatch(what: "columns \(names) have values in rows whose entities have no such property"))
    }
    let typed = orders.filter { order in
      zip(group, order).allSatisfy { column, position in
        found.first { $0.name == table.columns[group[position]].name }?.type
          == table.columns[column].type
      }
    }
    let possible = typed.isEmpty ? orders : typed
    if possible.count == 1 { return .success(possible[0]) }
    // No values: the entity of the lowest number has the name without a digit, as in all public stores
    // whose columns have values.
    let planned = Array(group.indices)
    if possible.contains(planned) { return .success(planned) }
    let owners = group.compactMap { self.planned.model.layout(number: table.columns[$0].owner) }
    let properties = zip(group, owners).map { column, owner in
      "\(owner.name).\(owner.properties[table.columns[column].property].name)"
    }
    return .failure(
      Mismatch(
        what: "nothing tells which of the columns \(names) is that of"
          + " \(properties.joined(separator: " and of "))", code: .storeUnsupported,
        hint: "Save a value of one of them with the program that made the store."))
  }

  /// Gives the columns of a group the names of an order, and those beside them what goes with it.
  private static func apply(
    _ order: [Int], to group: [Int], in table: inout TableSchema, found: [FoundColumn]
  ) {
    let names = group.map { table.columns[$0].name }
    for (column, position) in zip(group, order) where names[position] != table.columns[column].name
    {
      let name = names[position]
      table.columns[column].name = name
      let reference = table.columns[column]
      let key = table.columns.firstIndex {
        $0.role == .entityKey && $0.owner == reference.owner && $0.property == reference.property
      }
      guard let key else { continue }
      let digits = table.columns[key].name.prefix { $0 != "_" }
      table.columns[key].name = "\(digits)_\(name.dropFirst())"
      table.columns[key].alternatives = []
      table.columns[key].name =
        ColumnNames(found.map(\.name)).name(of: table.columns[key]) ?? table.columns[key].name
    }
  }
}
