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
