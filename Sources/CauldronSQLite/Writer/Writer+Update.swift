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
}
