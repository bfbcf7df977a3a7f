import CauldronModel
import CauldronStore

extension Writer {
  /// Inserts rows, many of them by one statement; and one statement for the key counter if need be.
  func insert(_ rows: [RowPointer], into entity: EntityLayout) throws {
    guard let first = rows.first else { return }
    let insertion = try insertion(entity)
    defer { insertion.finish() }
    var greatest = first.key
    var rest = rows[...]
    if insertion.takesSeveral(of: rest.count) {
      while rest.count >= insertion.batch {
        let batch = rest.prefix(insertion.batch)
        try insertSeveral(batch, by: insertion, into: entity)
        for row in batch { greatest = max(greatest, row.key) }
        rest = rest.dropFirst(insertion.batch)
      }
    }
    try insertEach(rest, by: insertion, into: entity)
    for row in rest { greatest = max(greatest, row.key) }
    try raiseKeys(to: greatest, for: entity.root)
  }

  private func insertSeveral(
    _ rows: ArraySlice<RowPointer>, by insertion: RowInsertion, into entity: EntityLayout
  ) throws {
    do {
      try insertion.runSeveral(rows)
      statementCount += 1
      try requireChanges(rows.count, in: entity)
    } catch let failure as SQLiteFailure
      where failure.concernsOneRow && connection.isInTransaction
    {
      // The statement is undone; one by one the rows tell which of them it was.
      try insertEach(rows, by: insertion, into: entity)
    }
  }

  private func insertEach(
    _ rows: ArraySlice<RowPointer>, by insertion: RowInsertion, into entity: EntityLayout
  ) throws {
    for row in rows {
      do {
        try insertion.run(row)
        try requireChanges(1, in: entity)
      } catch let failure as SQLiteFailure where failure.concernsOneRow {
        insertion.finish()
        throw try constraintError(failure, for: row, in: entity)
      }
    }
    statementCount += rows.count
  }
}

extension Writer {
  /// Writes the changed columns of rows; a statement for each.
  func update(
    _ updates: [RowUpdate], in entity: EntityLayout, changeSet: ChangeSet
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
      try run(modification, for: update, in: entity, changeSet: changeSet)
    }
  }

  private func run(
    _ modification: RowModification, for update: RowUpdate, in entity: EntityLayout,
    changeSet: ChangeSet
  ) throws {
    guard update.row.version <= RowPointer.greatestVersion else {
      throw CauldronError.versionsSpent(facts.name(update.row.key, in: entity))
    }
    do {
      try modification.run(update)
      statementCount += 1
    } catch let failure as SQLiteFailure where failure.concernsOneRow {
      guard failure.isUniqueViolation,
        try freeValues(of: update.row, in: entity, changeSet: changeSet)
      else {
        throw try constraintError(failure, for: update.row, in: entity)
      }
      return try run(modification, for: update, in: entity, changeSet: changeSet)
    }
    if connection.changes != 1 { throw try misfit(with: update.base, in: entity) }
  }
}

/// A statement has not deleted all the rows that it was meant to: one by one they tell which it was.
struct TornDeletion: Error {}

extension Writer {
  /// Deletes rows: those with keys that follow one another by one statement, the others by one each.
  /// - Throws: `TornDeletion` where the transaction has to be repeated row by row.
  func delete(_ deletions: [RowDeletion], from entity: EntityLayout) throws {
    let removal = try RowRemoval(entity, facts.schema, connection)
    var rest = deletions[...]
    while let first = rest.first {
      let count = deletesOneByOne ? 1 : rest.neighbourCount
      if count == 1 {
        try delete(first, from: entity, by: removal)
      } else {
        try delete(rest.prefix(count), by: removal)
      }
      rest = rest.dropFirst(count)
    }
  }

  private func delete(
    _ neighbours: ArraySlice<RowDeletion>, by removal: RowRemoval
  ) throws {
    guard let first = neighbours.first, let last = neighbours.last else { return }
    do {
      try removal.run(from: first, through: last)
    } catch let failure as SQLiteFailure where failure.concernsOneRow {
      throw TornDeletion()
    }
    statementCount += 1
    if connection.changes != neighbours.count { throw TornDeletion() }
  }

  private func delete(
    _ deletion: RowDeletion, from entity: EntityLayout, by removal: RowRemoval
  ) throws {
    do {
      try removal.run(deletion)
    } catch let failure as SQLiteFailure where failure.concernsOneRow {
      throw try constraintError(failure, for: deletion.base, in: entity)
    }
    statementCount += 1
    if connection.changes != 1 { throw try misfit(with: deletion.base, in: entity) }
  }
}

extension ArraySlice<RowDeletion> {
  /// How many of the first rows have keys that follow one another, and one version; at least one.
  fileprivate var neighbourCount: Int {
    var last = startIndex
    while last + 1 < endIndex, self[last + 1].key == self[last].key &+ 1,
      self[last + 1].base.version == self[last].base.version
    {
      last += 1
    }
    return last - startIndex + 1
  }
}

extension Writer {
  /// Fails where a row that is referred to is missing; a statement for each key.
  func requireTargets(
    in destination: EntityLayout, keys: [Int64], from source: EntityLayout,
    property: PropertyLayout
  ) throws {
    let statement = try connection.statement(
      "SELECT 1 FROM \(facts.schema.table(of: destination).sqlName) WHERE Z_PK = ?"
        + facts.schema.entityCondition(destination, includesSubentities: true, prefix: " AND "))
    for key in keys {
      // After an error, too: a statement that was not reset keeps the key of its last run.
      defer { statement.reset() }
      try statement.bind(1, to: key)
      statementCount += 1
      guard try statement.step() else {
        throw CauldronError.missingTarget(
          facts.name(key, in: destination), of: property.name, in: source.name)
      }
    }
  }

  /// Fails where a row still refers to a deleted one; a statement for each key.
  func requireUnreferenced(
    by entity: EntityLayout, through property: PropertyLayout, keys: [Int64],
    in changeSet: ChangeSet
  ) throws {
    let column = facts.schema.sqlName(property, of: entity)
    let statement = try connection.statement(
      "SELECT Z_PK, Z_ENT FROM \(facts.schema.table(of: entity).sqlName)"
        + " WHERE \(column) = ? LIMIT 1")
    for key in keys {
      defer { statement.reset() }
      try statement.bind(1, to: key)
      statementCount += 1
      guard try statement.step() else { continue }
      let referrer = facts.name(statement.integer(0), number: statement.integer(1), in: entity)
      throw CauldronError.referenced(
        facts.name(key, in: deleted(key, through: property, in: changeSet) ?? entity), by: referrer,
        property.name)
    }
  }

  /// The concrete entity of a deleted row.
  private func deleted(
    _ key: Int64, through property: PropertyLayout, in changeSet: ChangeSet
  ) -> EntityLayout? {
    let root = property.destination?.entity.root
    let changes = changeSet.entities.first { changes in
      guard changes.entity.root === root, case .deleted = changes.change(key) else { return false }
      return true
    }
    return changes?.entity ?? property.destination?.entity
  }
}

extension Writer {
  /// Has the versions of those rows grow whose objects have other to-many relationships now; a statement
  /// for each table. One whose version cannot grow any more keeps it.
  /// - Returns: The rows.
  func touchOwners(
    of plan: SavePlan, failures: [CauldronError?]
  ) throws -> [(entity: EntityLayout, keys: [Int64])] {
    let owners = plan.touchedOwners(failures)
    for (entity, keys) in owners {
      // One text for any number of keys: the statement is prepared once.
      let statement = try connection.statement(
        "UPDATE \(facts.schema.table(of: entity).sqlName) SET Z_OPT = ifnull(Z_OPT, 0) + 1"
          + " WHERE Z_PK IN (SELECT value FROM json_each(?))"
          + " AND ifnull(Z_OPT, 0) < \(RowPointer.greatestVersion)")
      let json = "[" + keys.map(String.init).joined(separator: ",") + "]"
      try statement.bind(1, to: .text(Array(json.utf8)))
      defer { statement.clearBindings() }
      try statement.run()
      statementCount += 1
      if connection.changes < keys.count { try requireTouched(keys.count, json, of: entity) }
    }
    return owners
  }

  /// Fails where owners are there whose versions could grow, and did not.
  private func requireTouched(_ count: Int, _ keys: String, of entity: EntityLayout) throws {
    let changes = connection.changes
    let statement = try connection.statement(
      "SELECT count(*) FROM \(facts.schema.table(of: entity).sqlName)"
        + " WHERE Z_PK IN (SELECT value FROM json_each(?))"
        + " AND ifnull(Z_OPT, 0) < \(RowPointer.greatestVersion)")
    defer {
      statement.reset()
      statement.clearBindings()
    }
    try statement.bind(1, to: .text(Array(keys.utf8)))
    guard try statement.step(), Int(statement.integer(0)) > changes else { return }
    throw DroppedRows(facts.schema.table(of: entity), "has kept \(changes) of \(count) versions")
  }
}
