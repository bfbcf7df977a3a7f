internal import CSQLite
import CauldronModel

/// Counts foreign commits to a store's file, most of all of other processes, and none of the
/// store's own.
///
/// A connection that never writes, the sentinel, sees all commits. Each commit of the store's own
/// connections is made while the lock here is held, and looks before and after; so it knows which
/// one was its own. Nothing of this happens, or costs anything, while the store is not watched.
final class ForeignCommits: Sendable {
  fileprivate struct State {
    var sentinel: Connection?
    /// The data version that the sentinel has seen.
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

  /// Closes the sentinel, even while it has users.
  func close() { state.withLock { $0.close() } }

  /// How many foreign commits were seen by now; several between two looks count as one.
  func look() -> Int {
    state.withLock { state in
      state.look()
      return state.count
    }
  }

  /// Commits a transaction of the store's own.
  /// - Parameters:
  ///   - connection: The one that holds the file's lock for writing: no other one writes until
  ///     `commit`.
  ///   - waits: Whether another commit of the store's own, which may be bringing the log into the
  ///     file, is waited for.
  /// - Throws: What `commit` throws; `SQLITE_BUSY` where it is not waited.
  func committing(
    _ connection: Connection, waits: Bool = true, _ commit: () throws -> Void
  ) throws {
    if waits { return try state.withLock { try $0.committing(connection, commit: commit) } }
    guard let _: Void = try state.withLockIfFree({ try $0.committing(connection, commit: commit) })
    else {
      throw SQLiteFailure(code: SQLITE_BUSY, message: "database is locked")
    }
  }
}

extension ForeignCommits.State {
  fileprivate mutating func close() {
    sentinel = nil
    users = 0
  }

  /// Counts a commit that the sentinel has not seen yet. Where it cannot look, the next look does.
  fileprivate mutating func look() {
    guard let now = try? sentinel?.dataVersion(), now != version else { return }
    version = now
    count += 1
  }

  fileprivate mutating func committing(
    _ connection: Connection, commit: () throws -> Void
  ) throws {
    guard let sentinel else { return try commit() }
    look()
    let before = try? connection.dataVersion()
    defer {
      if let now = try? sentinel.dataVersion() { version = now }
      // A connection does not count its own commits: after this one another was made.
      if let before, let now = try? connection.dataVersion(), now != before { count += 1 }
    }
    try commit()
  }
}
