import CauldronModel
import CauldronStore

/// Inserts, updates and deletes rows; each of them has to be what it was when it was read.
struct RowWriter {
  let writer: Writer
  /// Whether each row is deleted by a statement of its own, because that tells which one it is that
  /// cannot be.
  let deletesOneByOne: Bool

  private var judge: RowJudge { RowJudge(writer: writer) }

  /// Inserts rows, many of them by one statement; and one statement for the key counter if need be.
  func insert(_ rows: [RowPointer], into entity: EntityLayout) throws {
    guard let first = rows.first else { return }
    let insertion = try writer.insertion(entity)
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
    try writer.raiseKeys(to: greatest, for: entity.root)
  }

  private func insertSeveral(
    _ rows: ArraySlice<RowPointer>, by insertion: RowInsertion, into entity: EntityLayout
  ) throws {
    do {
      try insertion.runSeveral(rows)
      writer.statementCount += 1
      try requireChanges(rows.count, in: entity)
    } catch let failure as SQLiteFailure
      where failure.concernsOneRow && writer.connection.isInTransaction
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
        throw try judge.constraintError(failure, for: row, in: entity)
      }
    }
    writer.statementCount += rows.count
  }

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
        modification = try RowModification(
          update.changed, entity, writer.facts.schema, writer.connection)
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
      throw CauldronError.versionsSpent(writer.facts.name(update.row.key, in: entity))
    }
    do {
      try modification.run(update)
      writer.statementCount += 1
    } catch let failure as SQLiteFailure where failure.concernsOneRow {
      guard failure.isUniqueViolation,
        try judge.freeValues(of: update.row, in: entity, changeSet: changeSet)
      else {
        throw try judge.constraintError(failure, for: update.row, in: entity)
      }
      return try run(modification, for: update, in: entity, changeSet: changeSet)
    }
    if writer.connection.changes != 1 { throw try judge.misfit(with: update.base, in: entity) }
  }

  /// Deletes rows: a run of successive keys by one statement, a single key by a statement of its own.
  /// - Throws: `TornDeletion` where the transaction has to be repeated row by row.
  func delete(_ deletions: [RowDeletion], from entity: EntityLayout) throws {
    let removal = try RowRemoval(entity, writer.facts.schema, writer.connection)
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
    writer.statementCount += 1
    if writer.connection.changes != neighbours.count { throw TornDeletion() }
  }

  private func delete(
    _ deletion: RowDeletion, from entity: EntityLayout, by removal: RowRemoval
  ) throws {
    do {
      try removal.run(deletion)
    } catch let failure as SQLiteFailure where failure.concernsOneRow {
      throw try judge.constraintError(failure, for: deletion.base, in: entity)
    }
    writer.statementCount += 1
    if writer.connection.changes != 1 { throw try judge.misfit(with: deletion.base, in: entity) }
  }

  /// Fails where the last statement has written fewer rows than it was to, or more: of one key there is one.
  private func requireChanges(_ count: Int, in entity: EntityLayout) throws {
    let changes = writer.connection.changes
    if changes == count { return }
    throw DroppedRows(
      writer.facts.schema.table(of: entity), "has kept \(changes) of \(DroppedRows.rows(count))")
  }
}

/// A statement has not deleted all the rows that it was meant to: one by one they tell which it was.
struct TornDeletion: Error {}

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
