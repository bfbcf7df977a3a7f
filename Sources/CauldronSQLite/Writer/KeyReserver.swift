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
      return try opened().reserveKeys(count, for: root, facts, reserved)
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
