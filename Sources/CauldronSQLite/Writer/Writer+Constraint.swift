import CauldronModel

extension Writer {
  /// The error of a row that SQLite refused: which properties must be unique, and who has them.
  func constraintError(
    _ failure: SQLiteFailure, _ row: RowPointer, _ entity: EntityLayout
  ) throws -> CauldronError {
    let object = facts.name(row.key, entity)
    if failure.isKeyTaken { return .exists(object).with { $0.sqliteCode = failure.code } }
    if failure.isUniqueViolation {
      for constraint in facts.schema.table(of: entity).constraints {
        guard let holder = try holder(constraint, row, entity) else { continue }
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

  /// The row that has the values of a constraint already; costs one statement.
  private func holder(
    _ constraint: TableSchema.Constraint, _ row: RowPointer, _ entity: EntityLayout
  ) throws -> NamedObject? {
    let map = facts.schema.map(of: entity)
    let properties = constraint.columns.compactMap { column in
      entity.properties.first { map.properties[$0.index] == column }
    }
    guard properties.count == constraint.columns.count else { return nil }
    let binder = RowBinder(entity, facts.schema, properties, from: 1, entityKeys: false)
    let terms = binder.columns.map { "\($0) = ?" } + ["Z_PK <> ?"]
    let statement = try connection.statement(
      "SELECT Z_PK, Z_ENT FROM \(facts.schema.table(of: entity).sqlName)"
        + " WHERE \(terms.joined(separator: " AND "))")
    defer {
      statement.reset()
      statement.clearBindings()
    }
    try binder.bind(row, statement.handle)
    try statement.bind(binder.next, row.key)
    statementCount += 1
    guard try statement.step() else { return nil }
    return facts.name(statement.integer(0), number: statement.integer(1), entity)
  }
}
