import CauldronModel
import CauldronStore
import Foundation

/// The program's own steps, between what a migration adds and what it takes away.
extension StoreMigration {
  /// Whether there is nothing to do in a store.
  func isDone(_ metadata: StoreMetadata) throws -> Bool {
    metadata.differences(from: planned.model).isEmpty
      && permission.plan.selection(metadata.steps, in: planned.model).unrecorded.isEmpty
  }

  /// What is done in a store that has the model's tables already: steps alone.
  func prepareSteps(
    _ metadata: StoreMetadata
  ) throws -> (MigrationReport, MigrationStatements, ModelMapping) {
    let schema = try SchemaCheck(connection: connection, planned: planned)
      .resolved(to: "migrate", file.path)
    var plan = MigrationStatements()
    plan.old = schema
    plan.kept = Set(schema.tables.map(\.name))
    plan.steps = permission.plan.selection(metadata.steps, in: planned.model)
    var report = MigrationReport(store: file.url.lastPathComponent, changes: [])
    report.steps = plan.steps.due.map(\.name)
    report.isOnlyRecorded = true
    return (
      report, plan, ModelMapping(source: planned.model, destination: planned.model)
    )
  }

  /// Gives the entities their new numbers, and runs the steps that are due.
  /// - Returns: How many rows they have passed.
  func runSteps(of plan: MigrationStatements, with mapping: ModelMapping) throws -> Int {
    let isSame = mapping.source === mapping.destination
    if !isSame { try rewriteKeys(with: mapping, from: plan.old) }
    guard !plan.steps.due.isEmpty, let old = plan.old else { return 0 }
    // A store that has the model's tables may call its columns otherwise.
    let new = isSame ? old : planned
    if isSame { try connection.registerTriggerFunctions() }
    let tables = StepTables(connection, old: old, new: new, mapping) { try watch.pass($0) }
    for step in plan.steps.due { try run(step, on: tables, with: mapping) }
    let checks = StepChecks(mapping: mapping, tables: new, kept: plan.kept, emptied: tables.emptied)
    let problems = try findings(checks.list, afterSteps: true)
    if let error = CauldronError.migration(of: file, problems: problems) { throw error }
    try tables.writeKeys()
    try tables.dropIndexes()
    return tables.passed
  }

  private func run(
    _ step: MigrationStep, on tables: StepTables, with mapping: ModelMapping
  ) throws {
    try watch.begin(.step(step.name))
    let context = MigrationContext(mapping: mapping, tables: tables)
    do {
      defer { context.end() }
      try step.run(context)
      try context.check()
    } catch {
      throw told(context.failure ?? error, of: step)
    }
  }

  /// The error of a step, which says which one.
  private func told(_ error: any Error, of step: MigrationStep) -> any Error {
    let place = "Cannot migrate \"\(file.path)\": step \"\(step.name)\""
    switch error {
    case is SQLiteFailure: return error
    case let error as CauldronError:
      return CauldronError(error.code, "\(place): \(error.message)", hint: error.hint).with {
        $0.entity = error.entity
        $0.property = error.property
        $0.details = error.details
        $0.underlying = error
        $0.path = file.path
      }
    default:
      return CauldronError(
        .migrationStepFailed, "\(place) has thrown \(type(of: error)).",
        hint: "The store is as it was; the error is in \"underlying\"."
      ).with {
        $0.underlying = error
        $0.path = file.path
      }
    }
  }
}

/// What has to hold once steps have run, as questions whose answers must be no rows.
struct StepChecks {
  let mapping: ModelMapping
  /// The model's tables.
  let tables: StoreSchema
  /// The names of the tables whose unique indexes are there and have seen each change.
  let kept: Set<String>
  /// The required properties that steps have left without a value.
  let emptied: Set<StepProperty>

  var list: [MigrationStatements.Check] {
    tables.model.entityLayouts.flatMap { layout in
      layout.ownProperties.flatMap { property in
        [
          missing(property, in: layout), outOfRange(property, in: layout),
          strayLinks(property, in: layout),
        ]
      }
    }.compactMap { $0 } + tables.tables.filter { !kept.contains($0.name) }.flatMap(duplicates)
  }

  private func missing(
    _ property: PropertyLayout, in layout: EntityLayout
  ) -> MigrationStatements.Check? {
    guard property.hasColumn, property.isRequired, mayBeEmpty(property, in: layout) else {
      return nil
    }
    let column = tables.sqlName(property, of: layout)
    return rows(layout).rows(where: "\(sql: column) IS NULL", showing: "Z_PK") {
      .missingValues(of: property, in: layout, state: "is required", found: $0)
    }
  }

  private func outOfRange(
    _ property: PropertyLayout, in layout: EntityLayout
  ) -> MigrationStatements.Check? {
    let ranges = olds(of: property, in: layout).compactMap {
      property.attributeType?.integersKept(of: $0?.attributeType)
    }
    guard property.hasColumn, let range = ranges.first else { return nil }
    let column = tables.sqlName(property, of: layout)
    // A value that a step has written may be no integer at all.
    let condition: SQLFragment = """
      \(sql: column) NOT BETWEEN \(bind: range.lowerBound) AND \(bind: range.upperBound) \
      AND typeof(\(sql: column)) = 'integer'
      """
    return rows(layout).rows(where: condition, showing: column) {
      .outOfRange(property, in: layout, found: $0)
    }
  }

  /// Links to objects that the relationship does not lead to any more.
  private func strayLinks(
    _ property: PropertyLayout, in layout: EntityLayout
  ) -> MigrationStatements.Check? {
    let isNarrower = layout.family.map(\.entity).contains { entity in
      mapping.source(of: entity.properties[property.index], in: entity).map {
        !mapping.strays(of: property, $0).isEmpty
      } ?? false
    }
    guard isNarrower, let destination = property.destination?.entity else { return nil }
    var (owner, questions) = ("Z_PK", rows(layout))
    var column = property.hasColumn ? tables.sqlName(property, of: layout) : nil
    if let join = property.join {
      let ends = join.entity.properties
      owner = tables.sqlName(ends[join.near], of: join.entity)
      column = tables.sqlName(ends[join.far], of: join.entity)
      questions = RowQuestions(table: tables.table(of: join.entity).sqlName)
    }
    guard let column else { return nil }
    let condition: SQLFragment = """
      (SELECT t.Z_ENT FROM \(sql: tables.table(of: destination).sqlName) AS t \
      WHERE t.Z_PK = \(sql: questions.table).\(sql: column)) \
      NOT IN (\(sql: tables.familyNumberList(destination)))
      """
    return questions.rows(where: condition, showing: owner) {
      .strayLinks(property, in: layout, found: $0)
    }
  }

  private func duplicates(in table: TableSchema) -> [MigrationStatements.Check] {
    table.constraints.map { constraint in
      RowQuestions(table: table.sqlName)
        .duplicates(of: constraint.columns.map { SQLFragment(sql: table.sqlName($0)) }) {
          .duplicates(constraint, state: "is unique", found: $0)
        }
    }
  }

  /// Whether rows may be without a value: it is required anew, or a step has taken it away.
  private func mayBeEmpty(_ property: PropertyLayout, in layout: EntityLayout) -> Bool {
    if emptied.contains(StepProperty(entity: layout.number, index: property.index)) { return true }
    if property.hasDefault { return false }
    return olds(of: property, in: layout).contains { $0?.isRequired != true }
  }

  /// What the property goes on with, in each entity that has old objects.
  private func olds(of property: PropertyLayout, in layout: EntityLayout) -> [PropertyLayout?] {
    layout.family.map(\.entity).filter { mapping.source(of: $0) != nil }
      .map { mapping.source(of: $0.properties[property.index], in: $0) }
  }

  private func rows(_ layout: EntityLayout) -> RowQuestions {
    RowQuestions(table: tables.table(of: layout).sqlName, numbers: tables.familyNumberList(layout))
  }
}
