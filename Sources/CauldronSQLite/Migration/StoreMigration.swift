import CauldronModel
import CauldronModelFile
import CauldronStore
import Foundation

/// Brings a store over to another model, in one transaction.
///
/// Whatever happens, the file has the old tables or the new ones.
struct StoreMigration {
  let connection: RowConnection
  let file: StoreFile
  /// The tables of the model that the store is to have.
  var planned: StoreSchema
  var permission: MigrationPermission
  let watch: MigrationWatch
  /// The bytes that are free on the disk; nil where nobody can tell.
  let freeSpace: Int?
  /// Reads the metadata of a store; nil where the file is none.
  let metadata: (Connection) throws -> StoreMetadata?
  /// Looks at what was done; then all of it is taken back. Nil where it is meant to stay.
  var trial: ((StoreMetadata) throws -> Void)?

  /// Migrates the store, unless somebody else has done it meanwhile.
  /// - Returns: The metadata that the store has now, and what was done; nil if nothing.
  func run() throws -> (StoreMetadata, MigrationReport?) {
    let begin = ContinuousClock.now
    try connection.execute("BEGIN IMMEDIATE")
    do {
      return try watch.watching(connection) { try run(since: begin) }
    } catch {
      connection.rollbackQuietly()
      throw watch.error(error)
    }
  }

  private func run(
    since begin: ContinuousClock.Instant
  ) throws -> (StoreMetadata, MigrationReport?) {
    guard var metadata = try metadata(connection) else { throw noSource() }
    if try isDone(metadata) {
      connection.rollbackQuietly()
      return (metadata, nil)
    }
    var report = MigrationReport(store: file.url.lastPathComponent, changes: [])
    var backup: StoreBackup?
    do {
      for stage in try stages(from: metadata) {
        let (next, part) = try stage.advance(from: metadata, backup: &backup)
        metadata = next
        report.add(part)
      }
      try watch.check()
    } catch {
      backup?.takeBack()
      throw error
    }
    try end(metadata)
    backup?.settle()
    report.seconds = begin.duration(to: .now) / .seconds(1)
    return (metadata, report.isEmpty ? nil : report)
  }

  /// Has the store become one of the planned model, within the transaction.
  private func advance(
    from metadata: StoreMetadata, backup: inout StoreBackup?
  ) throws -> (StoreMetadata, MigrationReport) {
    try watch.begin(.checking)
    var (report, plan, mapping) = try prepare(metadata)
    if let error = CauldronError.migration(of: file, problems: report.problems) { throw error }
    try space(for: plan, report).check(freeSpace)
    if report.isCopied, backup == nil { backup = try backUp() }
    report.rows = try write(plan, with: mapping)
    return (try rewrite(metadata, with: mapping, steps: plan.steps), report)
  }

  /// What a migration would do, and what is in its way. Reads only.
  func prepare(
    _ metadata: StoreMetadata
  ) throws -> (MigrationReport, MigrationStatements, ModelMapping) {
    if metadata.differences(from: planned.model).isEmpty { return try prepareSteps(metadata) }
    let model = SourceModel(connection: connection, metadata: metadata, model: planned.model)
    guard let source = try model.find() else { throw noSource() }
    let schema = try SchemaCheck(connection: connection, planned: try StoreSchema(model: source))
      .resolved(to: "migrate", file.path)
    let mapping = ModelMapping(source: source, destination: planned.model)
    let steps = permission.plan.selection(metadata.steps, in: source)
    let planner = MigrationPlanner(
      mapping: mapping, source: schema, destination: planned, file: try FileTables(connection),
      hasSteps: !steps.due.isEmpty)
    var plan = planner.plan()
    plan.steps = steps
    var report = MigrationReport(store: file.url.lastPathComponent, changes: mapping.changes)
    let losses = MigrationLosses(
      mapping: mapping, permission: permission.allowing(steps.due), steps: steps,
      counts: try LossCounts(connection: connection, mapping: mapping, source: schema)
        .counts(report.changes))
    report.losses = losses.all
    report.problems = plan.problems + losses.refused
    report.steps = steps.due.map(\.name)
    report.skippedSteps = steps.skipped.map(\.description)
    report.isCopiedAnyway = permission.copies
    // What steps may put right is looked for when they are done.
    let checks = steps.due.isEmpty ? plan.checks : []
    if plan.problems.isEmpty { report.problems += try findings(checks) + triggers(schema) }
    return (report, plan, mapping)
  }

  /// What the data forbid.
  func findings(
    _ checks: [MigrationStatements.Check], afterSteps isAfterSteps: Bool = false
  ) throws -> [CauldronError] {
    try checks.compactMap { check in
      let statement = try connection.bound(check.sql)
      defer { statement.reset() }
      var found = MigrationStatements.Found(isAfterSteps: isAfterSteps)
      while try statement.step() { found.add(statement.text(0)) }
      return found.count == 0 ? nil : check.problem(found)
    }
  }

  /// Triggers name columns, and it is unknown how to write them for other columns.
  ///
  /// Those of derived attributes are made anew.
  private func triggers(_ source: StoreSchema) throws -> [CauldronError] {
    let present = try TriggerSet(connection: connection).present().keys
    let own = source.derived.filter { !$0.areTemporary }
    let count = present.count { name in !own.contains { $0.isKept(by: name) } }
    guard count > 0 else { return [] }
    return [
      CauldronError(
        .migrationCannotInfer, "The store has \(count) triggers, which would have to change, too.",
        hint: "Migrate it with the program that made them.")
    ]
  }

  private func noSource() -> CauldronError {
    CauldronError(
      .migrationNoSource,
      "Cannot migrate \"\(file.path)\": it has no copy of the model that wrote it, and is not the present"
        + " model less some properties.",
      hint: "Open it with the model that wrote it; a copy is written then."
    ).with { $0.path = file.path }
  }

  /// - Returns: How many rows the new tables have.
  private func write(_ plan: MigrationStatements, with mapping: ModelMapping) throws -> Int {
    try connection.registerDefaults(plan.computed)
    if mapping.source !== mapping.destination { try dropTriggers() }
    try watch.begin(.writing, rows: try space(for: plan).rows())
    try dropIndexes(of: plan.rebuilt)
    try dropIndexes(plan.droppedIndexes)
    let rows = try run(plan.expand, countsRows: true) + runSteps(of: plan, with: mapping)
    try watch.begin(.finishing, statements: plan.contract.count)
    _ = try run(plan.contract, countsRows: false)
    try replaceIndexes(of: plan.source)
    if mapping.source !== mapping.destination { try countAnew() }
    connection.forgetStatements()
    return rows
  }

  /// - Returns: How many rows were inserted.
  private func run(_ statements: [SQLFragment], countsRows: Bool) throws -> Int {
    var rows = 0
    for statement in statements {
      let prepared = try Statement(connection.handle, statement.text)
      try prepared.bind(statement.values)
      let fills = ["INSERT", "UPDATE"].contains { statement.text.hasPrefix($0) }
      rows += try watch.run(prepared, on: connection, countsRows: countsRows && fills)
    }
    return rows
  }
}

extension StoreMigration {
  /// Makes it stay, unless it was only to be looked at.
  private func end(_ new: StoreMetadata) throws {
    guard let trial else { return try connection.execute("COMMIT") }
    try trial(new)
    connection.rollbackQuietly()
  }

  /// Copies the store as it is, while nobody else can write.
  private func backUp() throws -> StoreBackup? {
    if trial != nil { return nil }
    try watch.begin(.copying)
    // The writer's transaction cannot copy; another connection sees what is committed.
    let reader = try Connection(path: file.path, mode: .readOnly, busyTimeout: 5)
    let backup = StoreBackup(file)
    try watch.watching(reader) { try backup.takeAhead(reader) }
    return backup
  }

  /// The room that the statements take.
  func space(for plan: MigrationStatements, _ report: MigrationReport? = nil) -> MigrationSpace {
    MigrationSpace(
      connection: connection, file: file, tables: plan.touched, indexed: plan.indexed,
      isCopied: report?.isCopied == true)
  }

  /// The tables of the file that hold objects and links.
  func tables() throws -> [String] {
    let statement = try Statement(
      connection.handle,
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z*'"
        + " AND name NOT IN ('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE')")
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }
}

/// The way of a store through the former versions that a plan lists.
extension StoreMigration {
  /// The migrations to each later version, and to the present model.
  func stages(from metadata: StoreMetadata) throws -> [StoreMigration] {
    let versions = permission.plan.versions
    let present = versions.lastIndex { metadata.differences(from: $0.model).isEmpty }
    guard let present else { return [self] }
    return try versions[(present + 1)...].map { version in
      var stage = self
      stage.planned = try StoreSchema(model: version.model)
      stage.permission = MigrationPermission(
        discarding: version.discarding, plan: MigrationPlan(steps: version.steps))
      stage.permission.isFormer = true
      return stage
    } + [self]
  }

  /// What all stages would do, and what is in their way. Reads only, so that of the stages behind the
  /// first one it tells what models alone can tell.
  func prospect(_ metadata: StoreMetadata) throws -> (MigrationReport, MigrationStatements) {
    let stages = try stages(from: metadata)
    guard let first = stages.first else { throw noSource() }
    var (report, plan, _) = try first.prepare(metadata)
    for (before, stage) in zip(stages, stages.dropFirst()) {
      report.add(stage.outlook(from: before.planned.model))
    }
    return (report, plan)
  }

  /// What the models alone tell.
  private func outlook(from source: ManagedObjectModel) -> MigrationReport {
    let mapping = ModelMapping(source: source, destination: planned.model)
    let selection = permission.plan.selection([], in: source)
    let steps = selection.due
    let losses = MigrationLosses(
      mapping: mapping, permission: permission.allowing(steps), steps: selection, counts: [:])
    var report = MigrationReport(store: file.url.lastPathComponent, changes: mapping.changes)
    report.steps = steps.map(\.name)
    report.skippedSteps = selection.skipped.map(\.description)
    report.losses = losses.all.map {
      MigrationForecast.Loss(name: $0.name, count: nil, isAllowed: $0.isAllowed)
    }
    report.problems =
      MigrationProblems(mapping: mapping, hasSteps: !steps.isEmpty).found + losses.refused
    return report
  }
}

/// What a store says of its entities and its model, said of the new ones.
extension StoreMigration {
  /// Writes numbers, names and hashes.
  func rewrite(
    _ metadata: StoreMetadata, with mapping: ModelMapping, steps: MigrationPlan.Selection
  ) throws -> StoreMetadata {
    var new = StoreMetadata(model: planned.model, identifier: metadata.identifier)
    if new.versionIdentifiers.isEmpty { new.versionIdentifiers = metadata.versionIdentifiers }
    new.steps = metadata.steps + steps.unrecorded
    new.restoration = metadata.restoration
    try new.write(connection)
    // What is not hashed is no reason to write.
    if !metadata.differences(from: planned.model).isEmpty {
      try ModelCopy(connection: connection).write(planned.model, with: mapping.describedEntities)
    }
    return new
  }

  /// The last keys by entity table: a table keeps those of the one that its rows are from.
  func rewriteKeys(with mapping: ModelMapping, from source: StoreSchema?) throws {
    // Rows beyond those of Core Data's history stay, unless they are those of entities.
    let own = source.map { " OR Z_ENT IN (\($0.numberList($0.model.entityLayouts)))" } ?? ""
    let condition = "Z_ENT < 16001\(own)"
    let statement = try Statement(
      connection.handle, "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY WHERE \(condition)")
    var greatest: [Int64: Int64] = [:]
    while try statement.step() { greatest[statement.integer(0)] = statement.integer(1) }
    statement.reset()
    try connection.execute("DELETE FROM Z_PRIMARYKEY WHERE \(condition)")
    try connection.insertEntities(of: planned) { root in
      let roots = root.family.compactMap { mapping.source(of: $0.entity)?.root }
      return roots.compactMap { greatest[Int64(source?.number(of: $0) ?? $0.number)] }.max() ?? 0
    }
  }
}

/// Indexes, which also tables get and lose that serve as they are.
extension StoreMigration {
  /// Drops the indexes of tables that are made anew: their names are those that the new ones' have.
  func dropIndexes(of tables: [String]) throws {
    let list = tables.map { SQLIdentifier.literal($0) }.joined(separator: ", ")
    let names = try names(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL"
        + " AND tbl_name COLLATE NOCASE IN (\(list))")
    try dropIndexes(names)
  }

  func dropIndexes(_ names: [String]) throws {
    for name in names { try connection.execute("DROP INDEX \(SQLIdentifier.quoted(name))") }
  }

  /// Drops the old model's indexes that the new one lacks, or has of other columns, and makes the
  /// missing ones; everything else in the file stays.
  func replaceIndexes(of source: [TableSchema]) throws {
    let planned = planned.tables.flatMap(\.indexStatements)
    var present = Set(
      try names("SELECT name FROM sqlite_master WHERE type = 'index'").map { $0.uppercased() })
    for index in Set(source.flatMap(\.indexStatements)).subtracting(planned)
    where present.remove(index.name.uppercased()) != nil {
      try dropIndexes([index.name])
    }
    for index in planned where !present.contains(index.name.uppercased()) {
      try connection.execute(index.sql)
    }
  }

  private func names(_ sql: String) throws -> [String] {
    let statement = try Statement(connection.handle, sql)
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }
}

/// Derived attributes: nothing is counted while rows are on their way, and everything when they are there.
extension StoreMigration {
  /// Drops the triggers, of which all are known: they name tables and columns that may go.
  func dropTriggers() throws {
    let triggers = TriggerSet(connection: connection)
    for name in try triggers.present().keys { try triggers.drop(name) }
  }

  /// Makes the triggers of the new model and fills the columns.
  func countAnew() throws {
    try connection.registerTextForms()
    let derived = planned.derived
    for _ in 0..<planned.fillingRounds {
      for triggers in derived { try connection.execute(triggers.filling) }
    }
    for triggers in derived where !triggers.areTemporary {
      try TriggerSet(connection: connection).make(triggers)
    }
  }
}
