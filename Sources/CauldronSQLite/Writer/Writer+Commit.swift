internal import CSQLite
import CauldronModel
import CauldronStore

extension Writer {
  /// What a commit that failed has left in the file.
  private enum Outcome {
    case saved
    case notSaved
    case unknown
  }

  /// Commits; after an error it finds out from the rows themselves what became of them.
  func commit(_ plan: SavePlan, failures: [CauldronError?]) throws {
    try commit { try self.isSaved(plan, failures: failures) }
  }

  /// Commits; after an error it finds out what became of the transaction.
  /// - Parameter isSaved: Whether the rows are as the transaction has left them; asked only then.
  func commit(_ isSaved: () throws -> Bool) throws {
    do {
      try facts.foreign.committing(connection) { try run("COMMIT") }
      lacksCopy = false
    } catch let failure as SQLiteFailure {
      connection.rollbackQuietly()
      // Only the lock was missing: the transaction was intact and is undone.
      if failure.primary == SQLITE_BUSY { throw failure }
      let outcome = outcome(isSaved)
      switch outcome {
      case .saved: return
      case .notSaved: throw failure
      case .unknown:
        throw CauldronError(
          .storeCommitOutcomeUnknown,
          "Save to \"\(facts.file.path)\" failed while committing (SQLite \(failure.code));"
            + " after reopening: still unknown."
        ).with {
          $0.sqliteCode = failure.code
          $0.path = facts.file.path
        }
      }
    }
  }

  /// Asks the file through a connection that knows nothing of the transaction.
  private func outcome(_ isSaved: () throws -> Bool) -> Outcome {
    do {
      try reconnect()
      try connection.execute("BEGIN IMMEDIATE")
      let isSaved = try isSaved()
      if !isSaved { return try takeBack() }
      try facts.foreign.committing(connection) { try connection.execute("COMMIT") }
      return .saved
    } catch {
      connection.rollbackQuietly()
      return .unknown
    }
  }

  /// Makes sure that a failed commit in the log is never taken for saved: writes a page over it or,
  /// where the disk has no room even for this, cuts it off.
  private func takeBack() throws -> Outcome {
    do {
      try overwriteLog()
      try facts.foreign.committing(connection) { try connection.execute("COMMIT") }
    } catch let failure as SQLiteFailure where failure.isOfFullDisk {
      connection.rollbackQuietly()
      try connection.execute("BEGIN IMMEDIATE")
      try space.cut()
      connection.rollbackQuietly()
    }
    return .notSaved
  }

  /// Reads one changed row back.
  private func isSaved(_ plan: SavePlan, failures: [CauldronError?]) throws -> Bool {
    for (layer, failure) in zip(plan.layers, failures) where failure == nil {
      for changes in layer.changeSet.entities {
        if let row = changes.inserted.first ?? changes.updated.first?.row {
          return try version(of: row.key, in: changes.entity) == row.version
        }
        if let deletion = changes.deleted.first {
          return try version(of: deletion.key, in: changes.entity) == nil
        }
      }
    }
    return false
  }

  /// Puts a page without changes where the log goes on.
  ///
  /// A commit that could not be synchronised lies there as a whole. It does not count, but a
  /// process that finds the log after this one was killed would take it for valid.
  private func overwriteLog() throws {
    let version = try connection.integer("PRAGMA user_version") ?? 0
    // SQLite writes the page whether the number is another one or not.
    try connection.execute("PRAGMA user_version = \(version)")
  }
}

extension Writer {
  /// How many objects one statement asks about.
  private static let countBatch = 64

  /// Counts the objects of relationships with a limited number, as the plan and all foreign writes
  /// leave them; nothing where the model has none.
  /// - Returns: Why layers must not stay written.
  func miscounts(
    _ plan: SavePlan, failures: [CauldronError?]
  ) throws -> [Int: CauldronError] {
    try plan.miscounts(failures) {
      try counts(in: $0, of: $1, for: $2)
    } owner: {
      try entity($1, at: $0)
    }
  }

  /// How many rows refer to each of some objects; a statement for each, or for many.
  private func counts(
    in entity: EntityLayout, of property: PropertyLayout, for keys: [Int64]
  ) throws -> [Int64: Int] {
    var result: [Int64: Int] = [:]
    var rest = keys[...]
    while !rest.isEmpty {
      let count = rest.count < Self.countBatch ? 1 : Self.countBatch
      let statement = try counting(in: entity, of: property, count: count)
      defer { statement.reset() }
      for (index, key) in rest.prefix(count).enumerated() {
        try statement.bind(Int32(index) + 1, to: key)
      }
      statementCount += 1
      while try statement.step() { result[statement.integer(0)] = Int(statement.integer(1)) }
      rest = rest.dropFirst(count)
    }
    return result
  }

  private func counting(
    in entity: EntityLayout, of property: PropertyLayout, count: Int
  ) throws -> Statement {
    let column = facts.schema.sqlName(property, of: entity)
    let marks = Array(repeating: "?", count: count).joined(separator: ",")
    let condition =
      entity.isJoin
      ? "" : facts.schema.entityCondition(entity, includesSubentities: true, prefix: " AND ")
    return try connection.statement(
      "SELECT \(column), COUNT(*) FROM \(facts.schema.table(of: entity).sqlName)"
        + " WHERE \(column) IN (\(marks))\(condition) GROUP BY \(column)")
  }

  /// The entity of a row, given one at or above it; nil where there is no row.
  private func entity(_ key: Int64, at entity: EntityLayout) throws -> EntityLayout? {
    let statement = try connection.statement(
      "SELECT Z_ENT FROM \(facts.schema.table(of: entity).sqlName) WHERE Z_PK = ?")
    defer { statement.reset() }
    try statement.bind(1, to: key)
    statementCount += 1
    guard try statement.step() else { return nil }
    let found = facts.schema.layout(fileNumber: statement.integer(0))
    return found.flatMap { $0.isKind(of: entity) ? $0 : nil }
  }
}

extension Writer {
  /// The error of a row that SQLite refused: which properties must be unique, and who has them.
  func constraintError(
    _ failure: SQLiteFailure, for row: RowPointer, in entity: EntityLayout
  ) throws -> CauldronError {
    let object = facts.name(row.key, in: entity)
    if failure.isKeyTaken { return .exists(object).with { $0.sqliteCode = failure.code } }
    if failure.isUniqueViolation {
      for constraint in facts.schema.table(of: entity).constraints {
        guard let holder = try holder(of: constraint, for: row, in: entity) else { continue }
        return .notUnique(object, constraint.properties, other: holder)
          .with { $0.sqliteCode = failure.code }
      }
    }
    return CauldronError(
      .saveConstraint,
      "Cannot save \(object.entity) \(object.uri): \(failure.message) (SQLite \(failure.code))."
    ).with {
      $0.entity = entity.name
      $0.objectIDs = [object.id]
      $0.sqliteCode = failure.code
    }
  }

  /// Takes the unique values of a row from the row that has them still, where the same change set
  /// gives the latter other values; answers whether it did.
  ///
  /// So values can move on from row to row, and rows can swap theirs. Costs two statements, and only
  /// where SQLite has refused a row.
  func freeValues(
    of row: RowPointer, in entity: EntityLayout, changeSet: ChangeSet
  ) throws -> Bool {
    let table = facts.schema.table(of: entity)
    for constraint in table.constraints {
      guard let holder = try holder(of: constraint, for: row, in: entity)?.id,
        let layout = facts.schema.model.layout(number: holder.entityNumber),
        case .updated(let update) = changeSet.changes(to: layout.number)?.change(holder.key)
      else { continue }
      let map = facts.schema.map(of: layout)
      let changed = update.changed.indices.compactMap { map.properties[$0] }
      guard let column = constraint.columns.first(where: changed.contains) else { continue }
      // Nil is equal to nothing. The version stays, so that the row's own update finds it.
      let statement = try connection.bound(
        """
        UPDATE OR ABORT \(sql: table.sqlName) SET \(sql: table.sqlName(column)) = NULL \
        WHERE Z_PK = \(bind: holder.key) AND ifnull(Z_OPT, 0) = \(bind: Int64(update.base.version))
        """)
      try statement.run()
      statementCount += 1
      if connection.changes == 1 { return true }
    }
    return false
  }

  /// The row that has the values of a constraint already; costs one statement.
  private func holder(
    of constraint: TableSchema.Constraint, for row: RowPointer, in entity: EntityLayout
  ) throws -> NamedObject? {
    let map = facts.schema.map(of: entity)
    let properties = constraint.columns.compactMap { column in
      entity.properties.first { map.properties[$0.index] == column }
    }
    guard properties.count == constraint.columns.count else { return nil }
    let binder = RowBinder(entity, facts.schema, properties, from: 1, companions: false)
    let terms = binder.columns.map { "\($0) = ?" } + ["Z_PK <> ?"]
    let statement = try connection.statement(
      "SELECT Z_PK, Z_ENT FROM \(facts.schema.table(of: entity).sqlName)"
        + " WHERE \(terms.joined(separator: " AND "))")
    defer {
      statement.reset()
      statement.clearBindings()
    }
    try binder.bind(row, to: statement.handle)
    try statement.bind(binder.next, to: row.key)
    statementCount += 1
    guard try statement.step() else { return nil }
    return facts.name(statement.integer(0), number: statement.integer(1), in: entity)
  }
}

extension Writer {
  /// The version of a row as the writer sees it; nil where there is none.
  func version(of key: Int64, in entity: EntityLayout) throws -> Int32? {
    let table = facts.schema.table(of: entity).sqlName
    let statement = try connection.bound(
      "SELECT Z_OPT FROM \(sql: table) WHERE Z_PK = \(bind: key)")
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Int32(clamping: statement.integer(0))
  }

  /// Why a statement about one row has changed none, or several.
  func misfit(with base: RowPointer, in entity: EntityLayout) throws -> any Error {
    let table = facts.schema.table(of: entity)
    let changes = connection.changes
    if changes > 1 { return DroppedRows(table, "has \(changes) rows of the key \(base.key)") }
    // What is as it was read was meant, and not taken.
    if try version(of: base.key, in: entity) == base.version {
      return DroppedRows(table, "has not taken the change of p\(base.key)")
    }
    return try conflict(with: base, in: entity)
  }

  /// The error of a row that is not what it was when it was read.
  func conflict(with base: RowPointer, in entity: EntityLayout) throws -> CauldronError {
    let object = facts.name(base.key, in: entity)
    guard let stored = try version(of: base.key, in: entity) else {
      return .deleted(object, read: base.version)
    }
    statementCount += 2
    return .changed(
      object, read: base.version, stored: stored, fields: try differences(from: base, in: entity))
  }

  /// The properties that differ in the store; none where the row cannot be decoded.
  private func differences(from base: RowPointer, in entity: EntityLayout) throws -> [String] {
    do {
      let found = try connection.row(
        base.key, in: entity.root, plan: facts.plans.family(entity.root), schema: nil)
      guard let found, found.row.entityNumber == entity.number else { return [] }
      let changed = withExtendedLifetime(found) { found.row.difference(from: base, entity) }
      return changed.indices.map { entity.properties[$0].name }
    } catch let failure as SQLiteFailure {
      if connection.packer.pointee.failure == nil { throw failure }
      return []
    }
  }
}
