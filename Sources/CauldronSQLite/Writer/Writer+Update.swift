import CauldronModel

extension Writer {
  /// Writes the changed columns of rows; a statement for each.
  func update(
    _ updates: [RowUpdate], _ entity: EntityLayout, _ changeSet: ChangeSet
  ) throws {
    var known: [PropertySet: RowModification] = [:]
    var last: (set: PropertySet, modification: RowModification)?
    defer { for modification in known.values { modification.finish() } }
    for update in updates {
      let modification: RowModification
      if let last, last.set == update.changed {
        modification = last.modification
      } else if let found = known[update.changed] {
        modification = found
      } else {
        modification = try RowModification(update.changed, entity, facts.schema, connection)
        known[update.changed] = modification
      }
      last = (update.changed, modification)
      try run(modification, update, entity, changeSet)
    }
  }

  private func run(
    _ modification: RowModification, _ update: RowUpdate, _ entity: EntityLayout,
    _ changeSet: ChangeSet
  ) throws {
    guard update.row.version <= RowPointer.greatestVersion else {
      throw CauldronError.versionsSpent(facts.name(update.row.key, entity))
    }
    do {
      try modification.run(update)
      statementCount += 1
    } catch let failure as SQLiteFailure where failure.concernsOneRow {
      guard failure.isUniqueViolation, try freeValues(of: update.row, entity, changeSet) else {
        throw try constraintError(failure, update.row, entity)
      }
      return try run(modification, update, entity, changeSet)
    }
    if connection.changes != 1 {
      throw try conflict(update.base, entity)
    }
  }

  /// Deletes rows; a statement for each.
  func delete(_ deletions: [RowDeletion], _ entity: EntityLayout) throws {
    let statement = try connection.statement(
      "DELETE FROM \(facts.schema.table(of: entity).sqlName)"
        + " WHERE Z_PK = ? AND ifnull(Z_OPT, 0) = ?")
    for deletion in deletions {
      try statement.bind(1, deletion.key)
      try statement.bind(2, Int64(deletion.base.version))
      do {
        try statement.run()
      } catch let failure as SQLiteFailure where failure.concernsOneRow {
        throw try constraintError(failure, deletion.base, entity)
      }
      statementCount += 1
      if connection.changes != 1 { throw try conflict(deletion.base, entity) }
    }
  }
}
