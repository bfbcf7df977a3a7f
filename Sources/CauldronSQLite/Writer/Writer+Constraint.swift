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

  /// Takes the unique values of a row from one that has them still, where that one is to be given
  /// other values by the same change set; answers whether it did.
  ///
  /// So values can move on from row to row, and rows can swap theirs. Costs two statements, and only
  /// where SQLite has refused a row.
  func freeValues(
    of row: RowPointer, _ entity: EntityLayout, _ changeSet: ChangeSet
  ) throws -> Bool {
    let table = facts.schema.table(of: entity)
    for constraint in table.constraints {
      guard let holder = try holder(constraint, row, entity)?.id,
        let layout = facts.schema.model.layout(number: holder.entityNumber),
        case .updated(let update) = changeSet.changes(to: layout.number)?.change(holder.key)
      else { continue }
      let map = facts.schema.map(of: layout)
      let changed = update.changed.indices.compactMap { map.properties[$0] }
      guard let column = constraint.columns.first(where: changed.contains) else { continue }
      // Nil is equal to nothing. The version stays, so that the row's own update finds it.
      let statement = try connection.bound(
        """
        UPDATE \(sql: table.sqlName) SET \(sql: table.sqlName(column)) = NULL \
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
    _ constraint: TableSchema.Constraint, _ row: RowPointer, _ entity: EntityLayout
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
    try binder.bind(row, statement.handle)
    try statement.bind(binder.next, row.key)
    statementCount += 1
    guard try statement.step() else { return nil }
    return facts.name(statement.integer(0), number: statement.integer(1), entity)
  }
}
