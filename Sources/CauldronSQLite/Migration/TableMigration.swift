import CauldronModel
import CauldronStore

/// What one table of the new model is filled with.
struct TableMigration {
  let mapping: ModelMapping
  let source: StoreSchema
  let destination: StoreSchema
  /// The table of the new model.
  let table: TableSchema
  /// Whether defaults are made that are made anew for each row; who only compares takes them for none.
  var makesValues = true

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

  /// The numbers of the old entities whose objects go there.
  var numbers: String { source.numberList(olds) }

  /// Whether the old table serves as it is.
  func isUnchanged(from old: TableSchema, in plan: inout MigrationStatements) -> Bool {
    guard old.name == table.name, isComplete(old),
      olds.allSatisfy(keepsNumber),
      old.columns.count == table.columns.count
    else { return false }
    let names = Set(old.columns.map { $0.name.uppercased() })
    return table.columns.allSatisfy { column in
      names.contains(column.name.uppercased())
        && cells(of: column, named: \.name, in: &plan).text == SQLIdentifier.quoted(column.name)
    }
  }

  private func keepsNumber(_ old: EntityLayout) -> Bool {
    mapping.destination(of: old).map { destination.number(of: $0) == source.number(of: old) }
      ?? false
  }

  /// Whether all rows of the old table go to this one.
  private func isComplete(_ old: TableSchema) -> Bool {
    let family = source.model.layout(number: old.rootNumber)?.family.map(\.entity) ?? []
    return family.allSatisfy { entity in
      mapping.destination(of: entity).map { new in self.family.contains { $0 === new } }
        ?? entity.isAbstract
    }
  }

  /// Whether every old entity of the table goes on, and its objects stay in it.
  func keepsEntities(of old: TableSchema) -> Bool {
    let family = source.model.layout(number: old.rootNumber)?.family.map(\.entity) ?? []
    return tables.count == 1 && isComplete(old)
      && family.allSatisfy { mapping.destination(of: $0) != nil }
  }

  /// The new number of a row's entity.
  var entityNumber: SQLFragment {
    mapping.renumbered("Z_ENT", of: olds, from: source, to: destination)
  }

  /// The columns of the old table that hold what a column is to have: none for a new one.
  func origins(of column: ColumnSchema) -> Set<Int> {
    var found: Set<Int> = []
    for entity in family where isOwn(column, in: entity) {
      guard let old = mapping.source(of: entity),
        let property = mapping.source(of: entity.properties[column.property], in: entity)
      else { continue }
      let map = source.map(of: old)
      let position =
        switch column.role {
        case .attribute, .toOne: map.properties[property.index]
        case .entityKey: property.entitySlot.flatMap { map.companions[$0] }
        case .orderKey: property.orderSlot.flatMap { map.companions[$0] }
        }
      if let position { found.insert(position) }
    }
    return found
  }

  private func isOwn(_ column: ColumnSchema, in entity: EntityLayout) -> Bool {
    destination.model.layout(number: column.owner).map(entity.isKind) ?? false
  }

  /// Whether a column of the old table is empty in the rows of an entity, which has no such property.
  private func isEmpty(_ position: Int, in old: EntityLayout, of table: TableSchema) -> Bool {
    guard let owner = source.model.layout(number: table.columns[position].owner) else {
      return false
    }
    return !old.isKind(of: owner)
  }

  /// The statement that fills the new table.
  /// - Parameter name: What a table of the source is called by now.
  func filling(
    from old: TableSchema, named name: (TableSchema) -> String, in plan: inout MigrationStatements
  ) -> SQLFragment {
    let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + table.columns.indices.map(table.sqlName)
    var values: [SQLFragment] = ["Z_PK", entityNumber, "Z_OPT"]
    values += table.columns.map { cells(of: $0, named: name, in: &plan) }
    let condition = isComplete(old) ? "" : " WHERE Z_ENT IN (\(numbers))"
    return "INSERT INTO \(sql: table.sqlName) (\(sql: columns.joined(separator: ", "))) SELECT "
      + values.joined(by: ", ")
      + SQLFragment(sql: " FROM \(SQLIdentifier.quoted(name(old)))\(condition)")
  }

  /// What fills a column, where no default has to be kept in mind.
  func cells(of column: ColumnSchema, named name: (TableSchema) -> String) -> SQLFragment {
    var plan = MigrationStatements()
    return cells(of: column, named: name, in: &plan)
  }

  /// What fills a column, whatever entity a row is of.
  func cells(
    of column: ColumnSchema, named name: (TableSchema) -> String, in plan: inout MigrationStatements
  ) -> SQLFragment {
    var cases: [(number: Int32, value: SQLFragment)] = []
    let origins = origins(of: column)
    let origin = origins.count == 1 ? origins.first : nil
    for entity in family {
      guard let old = mapping.source(of: entity), !old.isAbstract else { continue }
      let table = source.table(of: old)
      if isOwn(column, in: entity) {
        cases.append(
          (source.number(of: old), value(of: column, in: entity, named: name, in: &plan)))
      } else if let origin, isEmpty(origin, in: old, of: table) {
        // The cell is NULL, as it is to be; so one value serves all rows.
        cases.append((source.number(of: old), SQLFragment(sql: table.sqlName(origin))))
      } else {
        cases.append((source.number(of: old), "NULL"))
      }
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
    of column: ColumnSchema, in entity: EntityLayout, named name: (TableSchema) -> String,
    in plan: inout MigrationStatements
  ) -> SQLFragment {
    withoutActuallyEscaping(name) { name in
      let origin = ColumnSource(
        mapping: mapping, source: source, destination: destination, entity: entity, name: name,
        next: makesValues ? plan.computed.count : nil)
      if makesValues, let make = origin.computed(column) { plan.computed.append(make) }
      return origin.value(of: column)
    }
  }
}
