import CauldronModel

extension Writer {
  /// Updates rows by one statement.
  /// - Returns: Nil where the rows have to be read; then nothing was written.
  func update(
    _ update: BatchUpdate, willCommit: () -> Void, didCommit: (BatchReceipt?) -> Void
  ) throws -> BatchReceipt? {
    statementCount = 0
    let compiler = BatchUpdateCompiler(
      schema: facts.schema, update: update, room: connection.room)
    guard let (statement, limits) = compiler.compiled else { return nil }
    do {
      try begin()
      let notes = try connection.prepareBatches()
      notes.begin(limits)
      guard try run(statement, notes) else {
        try run("ROLLBACK")
        return nil
      }
      var receipt = BatchReceipt()
      receipt.updated = named(notes.take(), update.query.entity)
      guard let first = receipt.updated.first, let key = first.keys.first else {
        try run("ROLLBACK")
        receipt.statementCount = statementCount
        return receipt
      }
      let version = try version(key, first.entity)
      receipt.touched = takeTouched()
      willCommit()
      var committed: BatchReceipt?
      defer { didCommit(committed) }
      try commit { try self.version(key, first.entity) == version }
      receipt.statementCount = statementCount
      committed = receipt
      return receipt
    } catch let failure as SQLiteFailure {
      connection.rollbackQuietly()
      if failure.isOverflow { throw CauldronError.overflow }
      throw facts.report(failure).saving(0)
    } catch {
      connection.rollbackQuietly()
      throw error
    }
  }

  /// - Returns: Whether all rows could be written.
  private func run(_ fragment: SQLFragment, _ notes: BatchNotes) throws -> Bool {
    let statement = try connection.bound(fragment)
    defer { statement.clearBindings() }
    statementCount += 1
    do {
      try statement.run()
      return true
    } catch let failure as SQLiteFailure where failure.concernsOneRow || notes.hasRefused {
      return false
    }
  }

  private func named(
    _ keys: [Int64: [Int64]], _ entity: EntityLayout
  ) -> [(entity: EntityLayout, keys: [Int64])] {
    keys.sorted { $0.key < $1.key }.map { number, keys in
      (facts.schema.layout(fileNumber: number) ?? entity, keys)
    }
  }
}
