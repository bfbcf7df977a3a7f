import CauldronModel

/// A statement has not deleted all the rows that it was meant to: one by one they tell which it was.
struct TornDeletion: Error {}

extension Writer {
  /// Deletes rows: those with keys that follow one another by one statement, the others by one each.
  /// - Throws: `TornDeletion` where the transaction has to be repeated row by row.
  func delete(_ deletions: [RowDeletion], _ entity: EntityLayout) throws {
    let removal = try RowRemoval(entity, facts.schema, connection)
    var rest = deletions[...]
    while let first = rest.first {
      let count = deletesOneByOne ? 1 : rest.neighbourCount
      if count == 1 {
        try delete(first, entity, removal)
      } else {
        try delete(rest.prefix(count), removal)
      }
      rest = rest.dropFirst(count)
    }
  }

  private func delete(
    _ neighbours: ArraySlice<RowDeletion>, _ removal: RowRemoval
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
    _ deletion: RowDeletion, _ entity: EntityLayout, _ removal: RowRemoval
  ) throws {
    do {
      try removal.run(deletion)
    } catch let failure as SQLiteFailure where failure.concernsOneRow {
      throw try constraintError(failure, deletion.base, entity)
    }
    statementCount += 1
    if connection.changes != 1 { throw try conflict(deletion.base, entity) }
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
