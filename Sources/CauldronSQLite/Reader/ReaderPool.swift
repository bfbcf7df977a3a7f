import CauldronModel
import Dispatch

/// The reading connections of a store: opened when needed, the last used one first.
///
/// `@unchecked Sendable` because connections are only reachable through the lock or a borrower.
final class ReaderPool: @unchecked Sendable {
  private struct State {
    var idle: [RowConnection] = []
    var isClosed = false
    /// Whether a reader has met what somebody has written, this process perhaps.
    var hasSeenChange = false
  }

  private let facts: StoreFacts
  private let state = Locked(State())
  private let borrowed = DispatchGroup()

  init(_ facts: StoreFacts) { self.facts = facts }

  /// An idle connection, or else a new one, opened outside the lock.
  func borrow() throws -> RowConnection {
    let (idle, isClosed) = state.withLock { state -> (RowConnection?, Bool) in
      if state.isClosed { return (nil, true) }
      borrowed.enter()
      return (state.idle.popLast(), false)
    }
    if isClosed { throw facts.closed }
    if let idle {
      idle.followTracing(facts.options)
      return idle
    }
    do {
      return try open()
    } catch {
      borrowed.leave()
      throw error
    }
  }

  /// Takes in a connection that was opened elsewhere, and is prepared.
  func adopt(_ connection: RowConnection) { state.withLock { $0.idle.append(connection) } }

  /// Takes a connection back, and closes it where enough are idle or the pool is closed.
  func giveBack(_ connection: RowConnection) {
    let hasSeenChange = connection.takeSeenChange()
    state.withLock { state in
      if hasSeenChange { state.hasSeenChange = true }
      if !state.isClosed, state.idle.count < facts.options.readerLimit {
        state.idle.append(connection)
      }
    }
    borrowed.leave()
  }

  /// Whether a reader has met what somebody has written since this was asked last.
  func takeSeenChange() -> Bool {
    state.withLock { state in
      defer { state.hasSeenChange = false }
      return state.hasSeenChange
    }
  }

  /// Has the next one who asks look once more.
  func putBackSeenChange() { state.withLock { $0.hasSeenChange = true } }

  /// Waits until all connections are back, and closes them.
  func close() {
    let idle = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    _ = idle
    borrowed.wait()
  }

  private func open() throws -> RowConnection {
    do {
      let connection = try RowConnection(
        path: facts.file.path, mode: facts.options.mode, busyTimeout: facts.options.busyTimeout)
      // After opening: what is there now is what was opened, or else it is gone again.
      if let missing = facts.missing { throw missing }
      try connection.configureReader(facts.options)
      try facts.checkNew(connection)
      return connection
    } catch let failure as SQLiteFailure {
      throw facts.missing ?? facts.report(failure).opening()
    }
  }
}
