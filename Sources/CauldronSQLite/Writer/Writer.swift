internal import CSQLite
import CauldronModel
import CauldronStore

/// The one connection that writes; used under the store's lock.
final class Writer {
  let facts: StoreFacts
  /// Replaced where the outcome of a commit must be read anew.
  private(set) var connection: RowConnection
  private(set) var space: LogSpace
  /// The statements that ran in the save under way.
  var statementCount = 0
  private var inserts: [Int32: RowInsertion] = [:]
  let reservedKeys: ReservedKeys
  /// Whether the next save writes a copy of the model, because the file has none.
  var lacksCopy = false
  /// The state of the file as others left it; nil where that cannot be read.
  private var version: Int64?
  /// How often others were found to have written.
  private var foreignWrites: UInt64 = 0
  /// How many of these times the rows that were known before are no longer trusted for.
  private var distrusted: UInt64 = 0

  init(_ facts: StoreFacts, _ connection: RowConnection, _ reservedKeys: ReservedKeys) {
    self.facts = facts
    self.reservedKeys = reservedKeys
    self.connection = connection
    space = LogSpace(connection)
    version = try? connection.dataVersion()
  }

  /// The number of the last writes of another connection, unless all rows that were known before are distrusted
  /// already; costs one statement.
  var newForeignWrites: UInt64? {
    noteForeignWrites()
    return foreignWrites > distrusted ? foreignWrites : nil
  }

  /// Takes in that no row is trusted which was known before some foreign writes.
  func rowsAreDistrusted(since writes: UInt64) { distrusted = max(distrusted, writes) }

  /// Remembers whether another connection has written.
  func noteForeignWrites() {
    guard let now = try? connection.dataVersion(), now != version else { return }
    version = now
    foreignWrites += 1
  }

  /// What another connection has written a moment ago was this process itself.
  /// - Parameter isSole: Whether nobody else can have written until now.
  func forgetOwnWrites(if isSole: () -> Bool) {
    guard let now = try? connection.dataVersion(), isSole() else { return }
    version = now
  }

  /// Begins the transaction of a save.
  func begin() throws {
    try beginTransaction()
    if lacksCopy { try ModelCopy(connection: connection).write(facts.schema.model) }
    space.makeRoom()
  }

  /// Begins a transaction that writes, in the opened file and in no other.
  func beginTransaction() throws {
    connection.followTracing(facts.options)
    connection.touched.forget()
    try connection.beginWriting(facts)
    statementCount += 1
  }

  /// The rows that triggers have touched in the transaction, by entity.
  func takeTouched() -> [(entity: EntityLayout, keys: [Int64])] {
    connection.touched.take().compactMap { number, keys in
      facts.schema.layout(fileNumber: number).map { ($0, keys) }
    }
  }

  /// Runs a statement without values and counts it.
  func run(_ sql: String) throws {
    try connection.run(sql)
    statementCount += 1
  }

  /// Undoes the transaction, unless a trigger has done so.
  func undo() throws { if connection.isInTransaction { try run("ROLLBACK") } }

  /// The prepared insertion of an entity.
  func insertion(_ entity: EntityLayout) throws -> RowInsertion {
    if let known = inserts[entity.number] { return known }
    let made = try RowInsertion(entity, facts.schema, connection)
    inserts[entity.number] = made
    return made
  }

  /// Opens a new connection in place of one that failed.
  func reconnect() throws {
    inserts = [:]
    let fresh = try RowConnection(
      path: facts.file.path, mode: .readWrite, busyTimeout: facts.options.busyTimeout)
    if let missing = facts.missing { throw missing }
    try fresh.configureWriter(facts.options)
    fresh.knownSchema = facts.schemaVersion
    connection = fresh
    // Nobody knows what was written in between.
    version = nil
    space = LogSpace(fresh)
  }

  /// Brings the log into the file and empties it, so that nothing is left beside the file. What another
  /// process keeps from being done waits for nobody: the last one that closes the file does it.
  func checkpoint() {
    inserts = [:]
    guard !connection.isReadOnly else { return }
    _ = connection.withoutWaiting {
      sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
  }

  func setMaxPageCount(_ count: Int?) throws { try connection.setMaxPageCount(count) }
}

extension Writer {
  /// Takes keys beyond all that were given and all that are in the table; waits for the lock.
  func reserveKeys(_ count: Int, for root: EntityLayout) throws -> Range<Int64> {
    do {
      return try connection.reserveKeys(count, for: root, facts: facts, reserved: reservedKeys)
    } catch let failure as SQLiteFailure {
      throw facts.report(failure).writing()
    }
  }

  /// Lowers `Z_MAX` to what it was before the block, unless keys were taken since. It waits for no lock:
  /// keys that are not returned are a gap between those of objects, and no more.
  func returnKeys(_ range: Range<Int64>, for root: EntityLayout) throws {
    guard !range.isEmpty else { return }
    reservedKeys.forget(root)
    do {
      try connection.withoutWaiting { try connection.beginWriting(facts) }
      let statement = try connection.bound(
        """
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(bind: range.lowerBound - 1) \
        WHERE Z_ENT = \(bind: facts.number(of: root)) AND Z_MAX = \(bind: range.upperBound - 1)
        """)
      try statement.run()
      try facts.foreign.committing(connection) { try connection.run("COMMIT") }
    } catch let failure as SQLiteFailure {
      connection.rollbackQuietly()
      var options = facts.options
      options.busyTimeout = 0
      throw FailureReport(failure, facts.file, options).writing()
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
    if connection.changes == 1 { return }
    let counter = try connection.bound(
      "SELECT 1 FROM Z_PRIMARYKEY WHERE Z_ENT = \(bind: facts.number(of: root)) AND Z_MAX >= \(bind: key)"
    )
    defer { counter.reset() }
    guard try !counter.step() else { return }
    throw DroppedRows("Z_PRIMARYKEY", "has not taken \(key) as the last key of \(root.name)")
  }
}
