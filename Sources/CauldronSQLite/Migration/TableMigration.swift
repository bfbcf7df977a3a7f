import CauldronModel

/// What one table of the new model is filled with.
struct TableMigration {
  let mapping: ModelMapping
  let source: StoreSchema
  let destination: StoreSchema
  /// The table of the new model.
  let table: TableSchema

  /// The new entities whose objects lie in the table.
  var family: [EntityLayout] {
    destination.model.layout(number: table.rootNumber)?.family.map(\.entity) ?? []
  }

  /// The old entities whose objects go there.
  private var olds: [EntityLayout] { family.compactMap(mapping.source(of:)) }

  /// The old tables that rows come from: none for a new table, and more than one where it cannot be done,
  /// because rows of both have the same keys.
  var tables: [TableSchema] {
    var list: [TableSchema] = []
    for old in olds where !old.isAbstract || old.superentity == nil {
      let table = source.table(of: old)
      if !list.contains(where: { $0.rootNumber == table.rootNumber }) { list.append(table) }
    }
    return list
  }

  /// Whether the old table serves as it is.
  func isUnchanged(_ old: TableSchema, _ plan: inout MigrationStatements) -> Bool {
    guard old.name == table.name, isComplete(old),
      olds.allSatisfy({ mapping.destination(of: $0)?.number == $0.number }),
      old.columns.count == table.columns.count
    else { return false }
    let names = Set(old.columns.map { $0.name.uppercased() })
    return table.columns.allSatisfy { column in
      names.contains(column.name.uppercased())
        && cells(of: column, \.name, &plan).text == SQLIdentifier.quoted(column.name)
    }
  }

  /// Whether all rows of the old table go to this one.
  private func isComplete(_ old: TableSchema) -> Bool {
    let family = source.model.layout(number: old.rootNumber)?.family.map(\.entity) ?? []
    return family.allSatisfy { entity in
      mapping.destination(of: entity).map { new in self.family.contains { $0 === new } }
        ?? entity.isAbstract
    }
  }

  /// The statement that fills the new table.
  /// - Parameter name: What a table of the source is called by now.
  func filling(
    from old: TableSchema, _ name: (TableSchema) -> String, _ plan: inout MigrationStatements
  ) -> SQLFragment {
    let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + table.columns.indices.map(table.sqlName)
    var values: [SQLFragment] = ["Z_PK", mapping.renumbered("Z_ENT", olds), "Z_OPT"]
    values += table.columns.map { cells(of: $0, name, &plan) }
    let numbers = olds.map { "\($0.number)" }.joined(separator: ", ")
    let condition = isComplete(old) ? "" : " WHERE Z_ENT IN (\(numbers))"
    return "INSERT INTO \(sql: table.sqlName) (\(sql: columns.joined(separator: ", "))) SELECT "
      + values.joined(by: ", ")
      + SQLFragment(sql: " FROM \(SQLIdentifier.quoted(name(old)))\(condition)")
  }

  /// What fills a column, whatever entity a row is of.
  private func cells(
    of column: ColumnSchema, _ name: (TableSchema) -> String, _ plan: inout MigrationStatements
  ) -> SQLFragment {
    var cases: [(number: Int32, value: SQLFragment)] = []
    for entity in family {
      guard let old = mapping.source(of: entity), !old.isAbstract else { continue }
      let isOwn = destination.model.layout(number: column.owner).map(entity.isKind) ?? false
      cases.append((old.number, isOwn ? value(of: column, in: entity, name, &plan) : "NULL"))
    }
    guard let first = cases.first else { return "NULL" }
    if cases.allSatisfy({ $0.value.text == first.value.text && $0.value.values.isEmpty })
      || cases.count == 1
    {
      return first.value
    }
    let whens = cases.map { "WHEN \(sql: "\($0.number)") THEN \($0.value)" as SQLFragment }
    return "CASE Z_ENT " + whens.joined(by: " ") + " END"
  }

  private func value(
    of column: ColumnSchema, in entity: EntityLayout, _ name: (TableSchema) -> String,
    _ plan: inout MigrationStatements
  ) -> SQLFragment {
    withoutActuallyEscaping(name) { name in
      let origin = ColumnSource(
        mapping: mapping, source: source, entity: entity, name: name, next: plan.computed.count)
      if let make = origin.computed(column) { plan.computed.append(make) }
      return origin.value(of: column)
    }
  }
}
