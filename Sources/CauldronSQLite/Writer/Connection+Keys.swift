internal import CSQLite
import CauldronModel

extension Connection {
  /// Begins a transaction that writes, in the file that was opened and in no other, and in tables of the
  /// model that it was opened with.
  func beginWriting(_ facts: StoreFacts) throws {
    // A transaction on a file that may only be read would begin, too
    // (https://www.sqlite.org/lang_transaction.html).
    if isReadOnly {
      throw SQLiteFailure(code: SQLITE_READONLY, message: "attempt to write a readonly database")
    }
    try run("BEGIN IMMEDIATE")
    do {
      try facts.checkTables(self)
      if let missing = facts.missing { throw missing }
    } catch {
      rollbackQuietly()
      throw error
    }
  }

  /// Takes keys beyond all that were given and all that are in the table, in a transaction of its
  /// own.
  func reserveKeys(
    _ count: Int, for root: EntityLayout, _ facts: StoreFacts, _ reserved: ReservedKeys
  ) throws -> Range<Int64> {
    guard count > 0 else { return 0..<0 }
    do {
      try beginWriting(facts)
      let last = try advance(Int64(count), root, facts)
      // Who waits for no lock of the file waits for none here.
      try facts.foreign.committing(self, waits: busyTimeout > 0) { try run("COMMIT") }
      guard let last else {
        throw CauldronError(
          .storeCorrupt,
          "Cannot create \(root.name) in \"\(facts.file.path)\": its row in Z_PRIMARYKEY is missing"
            + " or has no keys left.", hint: facts.file.rescue
        ).with { $0.path = facts.file.path }
      }
      reserved.note(last, of: root)
      return (last - Int64(count) + 1)..<(last + 1)
    } catch {
      rollbackQuietly()
      throw error
    }
  }

  private func advance(
    _ count: Int64, _ root: EntityLayout, _ facts: StoreFacts
  ) throws -> Int64? {
    let table = facts.schema.table(of: root).sqlName
    let used: SQLFragment =
      "max(0, ifnull(Z_MAX, 0), ifnull((SELECT max(Z_PK) FROM \(sql: table)), 0))"
    // One less than the greatest integer, so that the range's end is one, too.
    let greatest = Int64.max - count - 1
    let statement = try bound(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(used) + \(bind: count) \
      WHERE Z_ENT = \(bind: facts.number(of: root)) AND \(used) <= \(bind: greatest) RETURNING Z_MAX
      """)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let last = statement.integer(0)
    while try statement.step() {}
    return last
  }
}
