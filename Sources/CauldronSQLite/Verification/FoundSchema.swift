import CauldronModel
import CauldronStore

/// The tables of a model as a file has them, some of which may be missing or lack columns.
struct FoundSchema {
  let schema: StoreSchema
  /// The root numbers of the tables that are there.
  private var tables: Set<Int32> = []
  /// The positions of the columns that are not there, by the root number of their table.
  private var missing: [Int32: Set<Int>] = [:]
  /// What is missing, and what is there in another form.
  private(set) var findings: [StoreFinding] = []

  init(_ connection: Connection, _ planned: StoreSchema) throws {
    var check = SchemaCheck(connection: connection, planned: planned)
    // Where the numbers cannot be read that is told when they are looked at.
    if let numbers = try? EntityNumbers(connection) { check = try check.numbered(by: numbers) }
    var resolved: [TableSchema] = []
    let joins = try check.resolveJoins()
    for table in check.planned.tables {
      let read =
        try table.isJoin
        ? Self.join(table, found: joins[table.rootNumber], check: check)
        : Self.entity(table, check: check)
      resolved.append(read.table)
      findings += read.findings
      if read.isThere { tables.insert(table.rootNumber) }
      if !read.missing.isEmpty { missing[table.rootNumber] = read.missing }
    }
    schema = StoreSchema(
      model: planned.model, numbers: check.planned.numbers, tables: resolved)
  }

  var model: ManagedObjectModel { schema.model }

  /// The tables that are there, with the names that the file has.
  var present: [TableSchema] { schema.tables.filter { tables.contains($0.rootNumber) } }

  /// The table of an entity as SQL takes it; nil where it is missing.
  func table(of layout: EntityLayout) -> String? {
    tables.contains(layout.rootNumber) ? schema.table(of: layout).sqlName : nil
  }

  /// The column of a property in the row `t`; nil where it has none.
  func column(of property: PropertyLayout, in layout: EntityLayout) -> String? {
    schema.map(of: layout).properties[property.index].flatMap { name(at: $0, in: layout) }
  }

  /// The column of a slot that belongs to a property; nil where there is none.
  func companion(_ slot: Int?, in layout: EntityLayout) -> String? {
    slot.flatMap { schema.map(of: layout).companions[$0] }.flatMap { name(at: $0, in: layout) }
  }

  /// Whether a table has all columns of some positions.
  func has(_ columns: [Int], in table: TableSchema) -> Bool {
    missing[table.rootNumber]?.isDisjoint(with: columns) ?? true
  }

  private func name(at position: Int, in layout: EntityLayout) -> String? {
    let table = schema.table(of: layout)
    guard tables.contains(table.rootNumber), has([position], in: table) else { return nil }
    return "t.\(table.sqlName(position))"
  }

  /// A table as it was found.
  private struct Read {
    var table: TableSchema
    var isThere = true
    var missing: Set<Int> = []
    var findings: [StoreFinding] = []
  }

  private static func join(
    _ table: TableSchema, found: Result<TableSchema, SchemaCheck.Mismatch>?, check: SchemaCheck
  ) throws -> Read {
    var read = Read(table: table)
    switch found {
    case .success(let found): read.table = found
    case .failure(let mismatch):
      read.isThere = false
      read.findings = [mismatch.finding(.tableMissing)]
    case nil: break
    }
    return read
  }

  private static func entity(_ table: TableSchema, check: SchemaCheck) throws -> Read {
    var read = Read(table: table)
    let columns = try check.columns(of: table)
    let entity = check.planned.model.layout(number: table.rootNumber)?.name
    guard !columns.isEmpty else {
      read.isThere = false
      read.findings = [
        StoreFinding(.tableMissing, "The table \(table.name) is missing.", entity: entity)
      ]
      return read
    }
    let names = ColumnNames(columns.map(\.name))
    for (position, column) in table.columns.enumerated() {
      guard let place = names.place(of: column) else {
        read.missing.insert(position)
        read.findings.append(
          StoreFinding(
            .columnMissing, "The table \(table.name) has no column \(column.name).", entity: entity)
        )
        continue
      }
      let name = columns[place].name
      read.table.columns[position].name = name
      let type = columns[place].type
      guard Affinity(type) != Affinity(column.type),
        !Affinity(type).changes(Affinity(column.type))
      else { continue }
      read.findings.append(
        StoreFinding(
          .columnType,
          "The column \(name) of \(table.name) is declared \(type.isEmpty ? "without a type" : type)"
            + " instead of \(column.type), which changes values.", entity: entity))
    }
    let declared = DeclarationCheck(
      connection: check.connection, table: read.table, columns: columns)
    read.findings += try declared.problems().map { problem in
      StoreFinding(problem.kind, "\(problem.sentence).", entity: entity)
    }
    if read.missing.isEmpty,
      let mismatch = try check.tellTwinsApart(in: &read.table, found: columns)
    {
      read.findings.append(mismatch.finding(.rowEntity, of: entity))
    }
    return read
  }
}

extension SchemaCheck.Mismatch {
  private var sentence: String { what.prefix(1).uppercased() + what.dropFirst() }

  /// - Parameter kind: What it is where the file is wrong.
  fileprivate func finding(_ kind: StoreFinding.Kind, of entity: String? = nil) -> StoreFinding {
    guard code == .storeUnsupported else {
      return StoreFinding(kind, "\(sentence).", entity: entity)
    }
    return StoreFinding(
      .modelUnsupported, "\(sentence).", entity: entity, standing: .unsupported)
  }
}

extension DeclarationCheck.Problem {
  /// What is wrong, as the beginning of a sentence.
  var sentence: String { what.prefix(1).uppercased() + what.dropFirst() }
}
