import CauldronModel

extension Writer {
  /// Inserts rows; a statement for each, and one for the key counter if need be.
  func insert(_ rows: [RowPointer], _ entity: EntityLayout) throws {
    guard var greatest = rows.first?.key else { return }
    let insertion = try insertion(entity)
    defer { insertion.finish() }
    for row in rows {
      do {
        try insertion.run(row)
      } catch let failure as SQLiteFailure where failure.concernsOneRow {
        insertion.finish()
        throw try constraintError(failure, row, entity)
      }
      greatest = max(greatest, row.key)
    }
    statementCount += rows.count
    try raiseKeys(to: greatest, for: entity.root)
  }
}
