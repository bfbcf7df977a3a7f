import CauldronModel
import CauldronStore

/// Plans a migration from two models and the tables of the file.
struct MigrationPlanner {
  let mapping: ModelMapping
  /// The source's tables, with the names that the file has.
  let source: StoreSchema
  let destination: StoreSchema
  let file: FileTables
  /// Whether steps run that may give values to what is new and required. Then no table is altered where it
  /// is: steps find the old ones beside the new.
  var hasSteps = false

  func plan() -> MigrationStatements {
    var plan = MigrationStatements()
    plan.problems = MigrationProblems(mapping: mapping, hasSteps: hasSteps).found
    guard plan.problems.isEmpty else { return plan }
    plan.source = source.tables
    let entities = destination.tables.filter { !$0.isJoin }.map(migration)
    let joins = destination.tables.filter(\.isJoin).map {
      JoinMigration(mapping: mapping, source: source, destination: destination, table: $0)
    }
    var kept = Set(joins.filter(\.isUnchanged).map(\.table.name))
    let altered = keep(entities, kept: &kept, in: &plan)
    plan.kept = kept
    let names = giveWay(besides: kept, altered: altered, in: &plan)
    plan.old = StoreSchema(
      model: source.model, numbers: source.numbers,
      tables: source.tables.map { table in
        var table = table
        table.name = names(table)
        return table
      })
    let inPlace = kept.union(altered.map(\.table.name))
    for entity in entities where !inPlace.contains(entity.table.name) {
      plan.expand.append(SQLFragment(sql: entity.table.creationStatement))
      guard let old = entity.tables.first else { continue }
      plan.expand.append(entity.filling(from: old, named: names, in: &plan))
    }
    for join in joins where !kept.contains(join.table.name) {
      plan.expand.append(SQLFragment(sql: join.table.creationStatement))
      if let filling = join.filling(names) { plan.expand.append(filling) }
    }
    // Last, because what is filled from these tables knows them as they are.
    plan.expand += altered.flatMap(\.expansion)
    plan.contract += altered.flatMap(\.contraction)
    finish(inPlace: inPlace, altered: altered, names: names, in: &plan)
    plan.indexed = gainers(among: inPlace, altered: altered).filter { !plan.touched.contains($0) }
    return plan
  }

  /// The tables of the source that stay where they are and get indexes.
  private func gainers(among kept: Set<String>, altered: [TableAlteration]) -> [String] {
    destination.tables.filter { kept.contains($0.name) }.compactMap { table in
      let old = altered.first { $0.table.name == table.name }?.old.name ?? table.name
      let present = Set(file[old]?.indexes.map { $0.name.uppercased() } ?? [])
      return table.indexStatements.allSatisfy { present.contains($0.name.uppercased()) } ? nil : old
    }
  }

  private func migration(_ table: TableSchema) -> TableMigration {
    TableMigration(mapping: mapping, source: source, destination: destination, table: table)
  }

  /// Finds the tables that serve as they are, and those that become the new ones where they are.
  private func keep(
    _ entities: [TableMigration], kept: inout Set<String>, in plan: inout MigrationStatements
  ) -> [TableAlteration] {
    var altered: [TableAlteration] = []
    for entity in entities {
      let olds = entity.tables
      if olds.count > 1 {
        plan.problems.append(MigrationProblems.twoTables(of: entity.family, tables: olds))
      }
      guard let old = olds.first else { continue }
      if let alteration = alteration(of: old, for: entity, in: &plan),
        !hasSteps || alteration.isNothing
      {
        if alteration.isNothing {
          kept.insert(entity.table.name)
        } else {
          altered.append(alteration)
          plan.droppedIndexes += alteration.droppedIndexes
          if alteration.writesRows { plan.touched.append(old.name) }
        }
      } else if entity.isUnchanged(from: old, in: &plan), file.hasConstraints(of: entity.table) {
        kept.insert(entity.table.name)
      }
    }
    return altered
  }

  private func alteration(
    of old: TableSchema, for entity: TableMigration, in plan: inout MigrationStatements
  ) -> TableAlteration? {
    guard isFree(entity.table, replacing: old) else { return nil }
    return TableAlteration(entity, old, file) { entity.cells(of: $0, named: \.name, in: &plan) }
  }

  /// Whether a table may have its new name while all others still have theirs.
  private func isFree(_ table: TableSchema, replacing old: TableSchema) -> Bool {
    func isTaken(_ name: String, in tables: [TableSchema]) -> Bool {
      tables.contains { $0.name.uppercased() == name.uppercased() }
    }
    if table.name.uppercased() == old.name.uppercased() { return table.name == old.name }
    return file[table.name] == nil && !isTaken(old.name, in: destination.tables)
  }

  /// Has the other tables of the source give way, so that a new one may have any name.
  /// - Returns: What a table of the source is called by now.
  private func giveWay(
    besides kept: Set<String>, altered: [TableAlteration], in plan: inout MigrationStatements
  ) -> (TableSchema) -> String {
    var names: [Int32: String] = [:]
    for (index, table) in source.tables.enumerated() {
      if kept.contains(table.name) || altered.contains(where: { $0.old.name == table.name }) {
        names[table.rootNumber] = table.name
        continue
      }
      let other = "Z_OLD\(index)"
      names[table.rootNumber] = other
      plan.touched.append(table.name)
      plan.rebuilt.append(table.name)
      plan.expand.append(
        SQLFragment(sql: "ALTER TABLE \(table.sqlName) RENAME TO \(SQLIdentifier.quoted(other))"))
    }
    return { names[$0.rootNumber] ?? $0.name }
  }

  /// Drops the old tables, and makes the indexes once the tables are full.
  private func finish(
    inPlace: Set<String>, altered: [TableAlteration], names: (TableSchema) -> String,
    in plan: inout MigrationStatements
  ) {
    let olds = Set(altered.map(\.old.name))
    for table in source.tables where !inPlace.contains(table.name) && !olds.contains(table.name) {
      plan.contract.append(
        SQLFragment(sql: "DROP TABLE \(SQLIdentifier.quoted(names(table)))"))
    }
    for table in destination.tables where !inPlace.contains(table.name) {
      plan.contract += table.creationStatements.dropFirst().map { SQLFragment(sql: $0) }
    }
    plan.checks =
      MigrationChecks(
        mapping: mapping, source: source, destination: destination, file: file
      ).list
  }
}

/// The statements that turn the tables of one model into those of another, planned without I/O.
///
/// Tables that have changed give way under another name; the new ones are filled from them.
struct MigrationStatements {
  /// A question whose answer must be no row: what it finds is a problem.
  struct Check {
    let sql: SQLFragment
    /// The problem, given what was found.
    let problem: (Found) -> CauldronError
  }

  /// The rows or values that a check has found.
  struct Found {
    /// Whether the steps of a plan have run; else nothing was written yet.
    let isAfterSteps: Bool
    private(set) var count = 0
    /// The first of them, to be shown.
    private(set) var examples: [String] = []

    init(isAfterSteps: Bool) { self.isAfterSteps = isAfterSteps }

    mutating func add(_ example: String) {
      count += 1
      if examples.count < 10 { examples.append(example) }
    }
  }

  /// Asked before anything is written.
  var checks: [Check] = []
  /// Makes and fills what the new model has. What the old one had and the new one has not is there still,
  /// for the steps of a plan, which run next.
  var expand: [SQLFragment] = []
  /// Takes away what the old model had, and makes the indexes.
  var contract: [SQLFragment] = []
  /// The tables of the source, whose indexes go that the new model has not.
  var source: [TableSchema] = []
  /// The tables of the source that are written anew or changed, for the room and the count.
  var touched: [String] = []
  /// Other tables that get indexes, for the room.
  var indexed: [String] = []
  /// The tables of the source that are written anew, whose indexes go.
  var rebuilt: [String] = []
  /// Indexes of other tables that go.
  var droppedIndexes: [String] = []
  /// The defaults that are made anew for each row, by the number that SQL knows them by.
  var computed: [@Sendable () -> AttributeScalar] = []
  /// The old tables as they are called between `expand` and `contract`, with the names that their columns
  /// have then: where steps read what goes.
  var old: StoreSchema?
  /// The names of the tables that are as they were, with their indexes.
  var kept: Set<String> = []
  /// The steps of the program's plan.
  var steps = MigrationPlan.Selection()
  /// What cannot be done.
  var problems: [CauldronError] = []
}
