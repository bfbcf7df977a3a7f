import CauldronModel

extension Writer {
  /// Takes keys beyond all that were given and all that are in the table; waits for the lock.
  func reserveKeys(_ count: Int, for root: EntityLayout) throws -> Range<Int64> {
    do {
      return try connection.reserveKeys(count, for: root, facts, reservedKeys)
    } catch let failure as SQLiteFailure {
      throw facts.report(failure).writing()
    }
  }

  /// Lowers `Z_MAX` to what it was before the block, unless keys were taken since.
  func returnKeys(_ range: Range<Int64>, for root: EntityLayout) throws {
    guard !range.isEmpty else { return }
    reservedKeys.forget(root)
    do {
      try connection.beginWriting(facts)
      let statement = try connection.bound(
        """
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(bind: range.lowerBound - 1) \
        WHERE Z_ENT = \(bind: facts.number(of: root)) AND Z_MAX = \(bind: range.upperBound - 1)
        """)
      try statement.run()
      try facts.foreign.committing(connection) { try connection.run("COMMIT") }
    } catch let failure as SQLiteFailure {
      connection.rollbackQuietly()
      throw facts.report(failure).writing()
    }
  }

  /// Sees to it that `Z_MAX` is not below a written key, as Core Data's next insertion relies on.
  ///
  /// No statement for keys that were reserved here: nobody else ever lowers `Z_MAX` below them.
  func raiseKeys(to key: Int64, for root: EntityLayout) throws {
    if reservedKeys.include(key, of: root) { return }
    let statement = try connection.bound(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(bind: key) \
      WHERE Z_ENT = \(bind: facts.number(of: root)) AND ifnull(Z_MAX, 0) < \(bind: key)
      """)
    try statement.run()
    statementCount += 1
  }
}
