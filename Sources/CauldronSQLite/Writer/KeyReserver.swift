internal import CSQLite
import CauldronModel

/// Reserves keys without waiting for anybody: not for a save of this process, nor for another one.
///
/// It has a connection of its own, opened when the first object is created, so that a program that
/// only reads writes nothing. What it commits is not synced: a row that has a key is, and brings the
/// reservation along, because it comes after it in the log.
final class KeyReserver {
  private let facts: StoreFacts
  private let reserved: ReservedKeys
  private let mode: Connection.Mode
  private var connection: Connection?
  private var isClosed = false

  /// - Parameter isReadOnly: Whether the store is open for reading alone; then no key is reserved.
  init(_ facts: StoreFacts, _ reserved: ReservedKeys, isReadOnly: Bool) {
    self.facts = facts
    mode = isReadOnly ? .readOnly : .readWrite
    self.reserved = reserved
  }

  /// Takes keys; nil where somebody else writes right now.
  func reserve(_ count: Int, for root: EntityLayout) throws -> Range<Int64>? {
    if isClosed { throw facts.closed }
    do {
      return try opened().reserveKeys(count, for: root, facts: facts, reserved: reserved)
    } catch let failure as SQLiteFailure {
      if failure.primary == SQLITE_BUSY { return nil }
      // What has failed once may be in any state.
      connection = nil
      throw facts.report(failure).writing()
    }
  }

  /// Changes with what other connections commit, and not with reservations; nil where it cannot be
  /// told.
  var dataVersion: Int64? { isClosed ? nil : try? opened().dataVersion() }

  func close() {
    connection = nil
    isClosed = true
  }

  private func opened() throws -> Connection {
    if let connection { return connection }
    let made = try Connection(path: facts.file.path, mode: mode, busyTimeout: 0)
    try made.configureReserver()
    made.knownSchema = facts.schemaVersion
    connection = made
    return made
  }
}

extension Connection {
  /// Prepares for reservations: no fsync at a commit, and never a checkpoint, which has two.
  fileprivate func configureReserver() throws {
    try configureDefences()
    try execute("PRAGMA synchronous = NORMAL")
    sqlite3_wal_autocheckpoint(handle, 0)
  }
}

/// What `Z_MAX` of each root entity is at least, because this process has reserved that much.
final class ReservedKeys: Sendable {
  private let greatest = Locked<[Int32: Int64]>([:])

  func note(_ key: Int64, of root: EntityLayout) {
    greatest.withLock { $0[root.number] = max(key, $0[root.number] ?? 0) }
  }

  /// Called before `Z_MAX` is lowered.
  func forget(_ root: EntityLayout) { greatest.withLock { $0[root.number] = nil } }

  func include(_ key: Int64, of root: EntityLayout) -> Bool {
    greatest.withLock { $0[root.number].map { key <= $0 } ?? false }
  }
}

extension Connection {
  /// Begins a transaction that writes, in the opened file and in no other, and in tables of the
  /// model at its opening.
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
    _ count: Int, for root: EntityLayout, facts: StoreFacts, reserved: ReservedKeys
  ) throws -> Range<Int64> {
    guard count > 0 else { return 0..<0 }
    do {
      try beginWriting(facts)
      let last = try advance(by: Int64(count), for: root, facts: facts)
      // A connection that waits for no lock of the file waits for none here.
      try facts.foreign.committing(self, waits: busyTimeout > 0) { try run("COMMIT") }
      guard let last else { throw try noKeys(count, for: root, facts: facts) }
      reserved.note(last, of: root)
      return (last - Int64(count) + 1)..<(last + 1)
    } catch {
      rollbackQuietly()
      throw error
    }
  }

  /// Says why no keys were given.
  private func noKeys(
    _ count: Int, for root: EntityLayout, facts: StoreFacts
  ) throws -> CauldronError {
    let number = facts.number(of: root)
    let counter = try bound("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(bind: number)")
    defer { counter.reset() }
    let table = facts.schema.table(of: root)
    let greatest = Int64.max - Int64(count) - 1
    let why: String
    if try !counter.step() {
      why = "Z_PRIMARYKEY has no row for \(root.name)"
    } else if counter.integer(0) > greatest {
      why = "its counter in Z_PRIMARYKEY is \(counter.integer(0)), beyond which there are no keys"
    } else if let key = try integer("SELECT max(Z_PK) FROM \(table.sqlName)"), key > greatest {
      why = "the table \(table.name) has the key \(key), beyond which there are none"
    } else {
      return DroppedRows("Z_PRIMARYKEY", "has not given the next keys of \(root.name)")
        .error("Cannot create \(root.name) in", facts.file.path, self)
    }
    return CauldronError(
      .storeCorrupt, "Cannot create \(root.name) in \"\(facts.file.path)\": \(why).",
      hint: "`cauldron verify` tells what else is wrong; restore a copy with `cauldron restore`."
    ).with { $0.path = facts.file.path }
  }

  private func advance(
    by count: Int64, for root: EntityLayout, facts: StoreFacts
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

  /// Writes a row for each entity of a schema's model into `Z_PRIMARYKEY`.
  /// - Parameter last: The last key of a root entity's table; subentities have 0.
  func insertEntities(
    of schema: StoreSchema, last: (EntityLayout) -> Int64
  ) throws {
    let insert = try Statement(
      handle, "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?,?,?,?)")
    for layout in schema.model.entityLayouts {
      try insert.bind([
        .integer(Int64(schema.number(of: layout))), .text(Array(layout.name.utf8)),
        .integer(layout.superentity.map { Int64(schema.number(of: $0)) } ?? 0),
        .integer(layout.superentity == nil ? last(layout) : 0),
      ])
      try insert.run()
      guard changes == 1 else {
        throw CauldronError(
          .storeCorrupt, "Cannot write the row of \(layout.name): Z_PRIMARYKEY takes no row.",
          hint: "Look whether a trigger or a view keeps it from that, or restore a copy.")
      }
    }
  }
}
