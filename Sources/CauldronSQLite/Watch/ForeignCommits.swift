internal import CSQLite
import CauldronModel

/// Counts what others commit to a store's file, most of all other processes, and nothing of its own.
///
/// A connection that never writes, the sentinel, sees that somebody has committed. Each commit of the
/// store's own connections is made while the lock here is held, and looks before and after; so it
/// knows what of that was its own. Nothing of this happens, or costs anything, while nobody watches.
final class ForeignCommits: Sendable {
  fileprivate struct State {
    var sentinel: Connection?
    /// What the sentinel has seen.
    var version: Int64 = 0
    var count = 0
    var users = 0
  }

  private let state = Locked(State())

  /// Has commits be counted until `end()` was called as often.
  func begin(_ path: String) throws {
    try state.withLock { state in
      if state.sentinel == nil {
        let sentinel = try Connection(path: path, mode: .readOnly, busyTimeout: 0)
        state.version = try sentinel.dataVersion()
        state.sentinel = sentinel
      }
      state.users += 1
    }
  }

  func end() {
    state.withLock { state in
      state.users -= 1
      if state.users <= 0 { state.close() }
    }
  }

  /// Closes the sentinel, whoever still watches.
  func close() { state.withLock { $0.close() } }

  /// How many commits of others were seen by now; of some between two looks only one is.
  func look() -> Int {
    state.withLock { state in
      state.look()
      return state.count
    }
  }

  /// Commits a transaction of the store's own.
  /// - Parameters:
  ///   - connection: The one that holds the file's lock for writing, so that until `commit` nobody
  ///     else writes.
  ///   - waits: Whether another commit of the store's own, which may be bringing the log into the
  ///     file, is waited for.
  /// - Throws: What `commit` throws; `SQLITE_BUSY` where it is not waited.
  func committing(
    _ connection: Connection, waits: Bool = true, _ commit: () throws -> Void
  ) throws {
    if waits { return try state.withLock { try $0.committing(connection, commit) } }
    guard let _: Void = try state.withLockIfFree({ try $0.committing(connection, commit) }) else {
      throw SQLiteFailure(code: SQLITE_BUSY, message: "database is locked")
    }
  }
}

extension ForeignCommits.State {
  fileprivate mutating func close() {
    sentinel = nil
    users = 0
  }

  /// Counts what the sentinel has not seen yet. Where it cannot look, the next look does.
  fileprivate mutating func look() {
    guard let now = try? sentinel?.dataVersion(), now != version else { return }
    version = now
    count += 1
  }

  fileprivate mutating func committing(
    _ connection: Connection, _ commit: () throws -> Void
  ) throws {
    guard let sentinel else { return try commit() }
    look()
    let before = try? connection.dataVersion()
    defer {
      if let now = try? sentinel.dataVersion() { version = now }
      // A connection does not count its own commits: after this one somebody has made another.
      if let before, let now = try? connection.dataVersion(), now != before { count += 1 }
    }
    try commit()
  }
}
