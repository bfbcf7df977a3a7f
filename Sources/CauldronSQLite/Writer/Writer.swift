internal import CSQLite
import CauldronModel

/// The one connection that writes; used under the store's lock.
final class Writer {
  let facts: StoreFacts
  /// Replaced where the outcome of a commit must be read anew.
  private(set) var connection: RowConnection
  private(set) var space: LogSpace
  /// The statements that ran in the save under way.
  var statementCount = 0
  private var inserts: [Int32: RowInsertion] = [:]
  /// Whether each row is deleted by a statement of its own, because that tells which one it is that
  /// cannot be.
  var deletesOneByOne = false
  let reservedKeys: ReservedKeys
  /// Whether the next save writes a copy of the model, because the file has none.
  var lacksCopy = false
  /// The state of the file as others left it; nil where that cannot be read.
  private var version: Int64?
  /// Whether others have written since somebody asked last.
  private var hasForeignWrites = false

  init(_ facts: StoreFacts, _ connection: RowConnection, _ reservedKeys: ReservedKeys) {
    self.facts = facts
    self.reservedKeys = reservedKeys
    self.connection = connection
    space = LogSpace(connection)
    version = try? connection.dataVersion()
  }

  /// Whether another connection has written since this was asked last; costs one statement.
  func takeForeignWrites() -> Bool {
    noteForeignWrites()
    defer { hasForeignWrites = false }
    return hasForeignWrites
  }

  /// Remembers whether another connection has written.
  func noteForeignWrites() {
    guard let now = try? connection.dataVersion(), now != version else { return }
    version = now
    hasForeignWrites = true
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

  /// Begins a transaction that writes, in the file that was opened and in no other.
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

  /// Brings the log into the file and empties it, so that nothing is left beside the file.
  func checkpoint() {
    inserts = [:]
    guard !connection.isReadOnly else { return }
    sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }

  func setMaxPageCount(_ count: Int?) throws { try connection.setMaxPageCount(count) }
}
