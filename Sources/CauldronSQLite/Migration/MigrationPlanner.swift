import CauldronModel

/// Plans a migration from two models and the tables of the file.
struct MigrationPlanner {
  let mapping: ModelMapping
  /// The source's tables, with the names that the file has.
  let source: StoreSchema
  let destination: StoreSchema
  /// Whether steps run that may give values to what is new and required.
  var hasSteps = false

  func plan() -> MigrationStatements {
    var plan = MigrationStatements()
    plan.problems = MigrationProblems(mapping: mapping, hasSteps: hasSteps).found
    guard plan.problems.isEmpty else { return plan }
    let entities = destination.tables.filter { !$0.isJoin }.map(migration)
    let joins = destination.tables.filter(\.isJoin).map {
      JoinMigration(mapping: mapping, source: source, destination: destination, table: $0)
    }
    let kept = keep(entities, joins, &plan)
    plan.kept = kept
    let names = giveWay(kept, &plan)
    plan.old = StoreSchema(
      model: source.model,
      tables: source.tables.map { table in
        var table = table
        table.name = names(table)
        return table
      })
    for entity in entities where !kept.contains(entity.table.name) {
      plan.expand.append(SQLFragment(sql: entity.table.creationStatements[0]))
      guard let old = entity.tables.first else { continue }
      plan.expand.append(entity.filling(from: old, names, &plan))
    }
    for join in joins where !kept.contains(join.table.name) {
      plan.expand.append(SQLFragment(sql: join.table.creationStatements[0]))
      if let filling = join.filling(names) { plan.expand.append(filling) }
    }
    finish(kept, names, &plan)
    return plan
  }

  private func migration(_ table: TableSchema) -> TableMigration {
    TableMigration(mapping: mapping, source: source, destination: destination, table: table)
  }

  /// The names of the tables that serve as they are.
  private func keep(
    _ entities: [TableMigration], _ joins: [JoinMigration], _ plan: inout MigrationStatements
  ) -> Set<String> {
    var kept: Set<String> = []
    for entity in entities {
      let olds = entity.tables
      if olds.count > 1 {
        plan.problems.append(MigrationProblems.twoTables(entity.family, olds))
      }
      if let old = olds.first, entity.isUnchanged(old, &plan) { kept.insert(entity.table.name) }
    }
    for join in joins where join.isUnchanged { kept.insert(join.table.name) }
    return kept
  }

  /// Has the other tables of the source give way, so that a new one may have any name.
  /// - Returns: What a table of the source is called by now.
  private func giveWay(
    _ kept: Set<String>, _ plan: inout MigrationStatements
  ) -> (TableSchema) -> String {
    var names: [Int32: String] = [:]
    for (index, table) in source.tables.enumerated() {
      if kept.contains(table.name) {
        names[table.rootNumber] = table.name
        continue
      }
      let other = "Z_OLD\(index)"
      names[table.rootNumber] = other
      plan.touched.append(table.name)
      plan.expand.append(
        SQLFragment(sql: "ALTER TABLE \(table.sqlName) RENAME TO \(SQLIdentifier.quoted(other))"))
    }
    return { names[$0.rootNumber] ?? $0.name }
  }

  /// Drops the old tables, and makes the indexes once the tables are full.
  private func finish(
    _ kept: Set<String>, _ names: (TableSchema) -> String, _ plan: inout MigrationStatements
  ) {
    for table in source.tables where !kept.contains(table.name) {
      plan.contract.append(
        SQLFragment(sql: "DROP TABLE \(SQLIdentifier.quoted(names(table)))"))
    }
    for table in destination.tables where !kept.contains(table.name) {
      plan.contract += table.creationStatements.dropFirst().map { SQLFragment(sql: $0) }
    }
    plan.checks = MigrationChecks(mapping: mapping, source: source, destination: destination).list
  }
}
