import CauldronModel
import CauldronStore

/// Finds out why the file has not taken a row as it was to be written, and which row has its unique values.
struct RowJudge {
  let writer: Writer

  /// The error of a row that SQLite refused: which properties must be unique, and who has them.
  func constraintError(
    _ failure: SQLiteFailure, for row: RowPointer, in entity: EntityLayout
  ) throws -> CauldronError {
    let object = writer.facts.name(row.key, in: entity)
    if failure.isKeyTaken { return .exists(object).with { $0.sqliteCode = failure.code } }
    if failure.isUniqueViolation {
      for constraint in writer.facts.schema.table(of: entity).constraints {
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
    let table = writer.facts.schema.table(of: entity)
    for constraint in table.constraints {
      guard let holder = try holder(of: constraint, for: row, in: entity)?.id,
        let layout = writer.facts.schema.model.layout(number: holder.entityNumber),
        case .updated(let update) = changeSet.changes(to: layout.number)?.change(holder.key)
      else { continue }
      let map = writer.facts.schema.map(of: layout)
      let changed = update.changed.indices.compactMap { map.properties[$0] }
      guard let column = constraint.columns.first(where: changed.contains) else { continue }
      // Nil is equal to nothing. The version stays, so that the row's own update finds it.
      let statement = try writer.connection.bound(
        """
        UPDATE OR ABORT \(sql: table.sqlName) SET \(sql: table.sqlName(column)) = NULL \
        WHERE Z_PK = \(bind: holder.key) AND ifnull(Z_OPT, 0) = \(bind: Int64(update.base.version))
        """)
      try statement.run()
      writer.statementCount += 1
      if writer.connection.changes == 1 { return true }
    }
    return false
  }

  /// The row that has the values of a constraint already; costs one statement.
  private func holder(
    of constraint: TableSchema.Constraint, for row: RowPointer, in entity: EntityLayout
  ) throws -> NamedObject? {
    let map = writer.facts.schema.map(of: entity)
    let properties = constraint.columns.compactMap { column in
      entity.properties.first { map.properties[$0.index] == column }
    }
    guard properties.count == constraint.columns.count else { return nil }
    let binder = RowBinder(entity, writer.facts.schema, properties, from: 1, companions: false)
    let terms = binder.columns.map { "\($0) = ?" } + ["Z_PK <> ?"]
    let statement = try writer.connection.statement(
      "SELECT Z_PK, Z_ENT FROM \(writer.facts.schema.table(of: entity).sqlName)"
        + " WHERE \(terms.joined(separator: " AND "))")
    defer {
      statement.reset()
      statement.clearBindings()
    }
    try binder.bind(row, to: statement.handle)
    try statement.bind(binder.next, to: row.key)
    writer.statementCount += 1
    guard try statement.step() else { return nil }
    return writer.facts.name(statement.integer(0), number: statement.integer(1), in: entity)
  }

  /// The version of a row as the writer sees it; nil where there is none.
  func version(of key: Int64, in entity: EntityLayout) throws -> Int32? {
    let table = writer.facts.schema.table(of: entity).sqlName
    let statement = try writer.connection.bound(
      "SELECT Z_OPT FROM \(sql: table) WHERE Z_PK = \(bind: key)")
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Int32(clamping: statement.integer(0))
  }

  /// Why a statement about one row has changed none, or several.
  func misfit(with base: RowPointer, in entity: EntityLayout) throws -> any Error {
    let table = writer.facts.schema.table(of: entity)
    let changes = writer.connection.changes
    if changes > 1 { return DroppedRows(table, "has \(changes) rows of the key \(base.key)") }
    // What is as it was read was meant, and not taken.
    if try version(of: base.key, in: entity) == base.version {
      return DroppedRows(table, "has not taken the change of p\(base.key)")
    }
    return try conflict(with: base, in: entity)
  }

  /// The error of a row that is not what it was when it was read.
  func conflict(with base: RowPointer, in entity: EntityLayout) throws -> CauldronError {
    let object = writer.facts.name(base.key, in: entity)
    guard let stored = try version(of: base.key, in: entity) else {
      return .deleted(object, read: base.version)
    }
    writer.statementCount += 2
    return .changed(
      object, read: base.version, stored: stored, fields: try differences(from: base, in: entity))
  }

  /// The properties that differ in the store; none where the row cannot be decoded.
  private func differences(from base: RowPointer, in entity: EntityLayout) throws -> [String] {
    do {
      let found = try writer.connection.row(
        base.key, in: entity.root, plan: writer.facts.plans.family(entity.root), schema: nil)
      guard let found, found.row.entityNumber == entity.number else { return [] }
      let changed = withExtendedLifetime(found) { found.row.difference(from: base, entity) }
      return changed.indices.map { entity.properties[$0].name }
    } catch let failure as SQLiteFailure {
      if writer.connection.packer.pointee.failure == nil { throw failure }
      return []
    }
  }
}
