import CauldronModel

extension Writer {
  /// Inserts rows, many of them by one statement; and one statement for the key counter if need be.
  func insert(_ rows: [RowPointer], _ entity: EntityLayout) throws {
    guard let first = rows.first else { return }
    let insertion = try insertion(entity)
    defer { insertion.finish() }
    var greatest = first.key
    var rest = rows[...]
    if insertion.takesSeveral(of: rest.count) {
      while rest.count >= insertion.batch {
        let batch = rest.prefix(insertion.batch)
        try insertSeveral(batch, insertion, entity)
        for row in batch { greatest = max(greatest, row.key) }
        rest = rest.dropFirst(insertion.batch)
      }
    }
    try insertEach(rest, insertion, entity)
    for row in rest { greatest = max(greatest, row.key) }
    try raiseKeys(to: greatest, for: entity.root)
  }

  private func insertSeveral(
    _ rows: ArraySlice<RowPointer>, _ insertion: RowInsertion, _ entity: EntityLayout
  ) throws {
    do {
      try insertion.runSeveral(rows)
      statementCount += 1
    } catch let failure as SQLiteFailure
      where failure.concernsOneRow && connection.isInTransaction
    {
      // The statement is undone; one by one the rows tell which of them it was.
      try insertEach(rows, insertion, entity)
    }
  }

  private func insertEach(
    _ rows: ArraySlice<RowPointer>, _ insertion: RowInsertion, _ entity: EntityLayout
  ) throws {
    for row in rows {
      do {
        try insertion.run(row)
      } catch let failure as SQLiteFailure where failure.concernsOneRow {
        insertion.finish()
        throw try constraintError(failure, row, entity)
      }
    }
    statementCount += rows.count
  }
}
