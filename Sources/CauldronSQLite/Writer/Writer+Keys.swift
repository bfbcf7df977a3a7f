import CauldronModel

extension Writer {
  /// Takes keys beyond all that were given and all that are in the table.
  func reserveKeys(_ count: Int, for root: EntityLayout) throws -> Range<Int64> {
    guard count > 0 else { return 0..<0 }
    do {
      try beginTransaction()
      let last = try advance(Int64(count), root)
      try connection.run("COMMIT")
      guard let last else {
        throw CauldronError(
          .storeCorrupt,
          "Cannot create \(root.name) in \"\(facts.file.path)\": its row in Z_PRIMARYKEY is missing"
            + " or has no keys left.", hint: facts.file.rescue
        ).with { $0.path = facts.file.path }
      }
      reservedKeys[root.number] = last
      return (last - Int64(count) + 1)..<(last + 1)
    } catch let failure as SQLiteFailure {
      connection.rollbackQuietly()
      throw facts.report(failure).writing()
    }
  }

  private func advance(_ count: Int64, _ root: EntityLayout) throws -> Int64? {
    let table = facts.schema.table(of: root).sqlName
    let used = "max(ifnull(Z_MAX, 0), ifnull((SELECT max(Z_PK) FROM \(table)), 0))"
    let statement = try connection.statement(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = \(used) + ?1 WHERE Z_ENT = ?2 AND \(used) <= ?3"
        + " RETURNING Z_MAX")
    defer { statement.reset() }
    try statement.bind(1, count)
    try statement.bind(2, Int64(root.number))
    // One less than the greatest integer, so that the range's end is one, too.
    try statement.bind(3, Int64.max - count - 1)
    guard try statement.step() else { return nil }
    let last = statement.integer(0)
    while try statement.step() {}
    return last
  }

  /// Lowers `Z_MAX` to what it was before the block, unless keys were taken since.
  func returnKeys(_ range: Range<Int64>, for root: EntityLayout) throws {
    guard !range.isEmpty else { return }
    reservedKeys[root.number] = nil
    do {
      let statement = try connection.statement(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND Z_MAX = ?3")
      try statement.bind(1, range.lowerBound - 1)
      try statement.bind(2, Int64(root.number))
      try statement.bind(3, range.upperBound - 1)
      try statement.run()
    } catch let failure as SQLiteFailure {
      throw facts.report(failure).writing()
    }
  }

  /// Sees to it that `Z_MAX` is not below a written key, as Core Data's next insertion relies on.
  ///
  /// No statement for keys that were reserved here: nobody else ever lowers `Z_MAX` below them.
  func raiseKeys(to key: Int64, for root: EntityLayout) throws {
    if let reserved = reservedKeys[root.number], key <= reserved { return }
    let statement = try connection.statement(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND ifnull(Z_MAX, 0) < ?1")
    try statement.bind(1, key)
    try statement.bind(2, Int64(root.number))
    try statement.run()
    statementCount += 1
  }
}
