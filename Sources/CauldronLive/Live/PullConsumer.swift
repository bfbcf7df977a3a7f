import CauldronLedger
import CauldronList
import CauldronModel

/// Shows a list to who asks for the next state, in whatever task: states that nobody asks for are passed
/// over.
///
/// `@unchecked Sendable` because everything that changes is behind a lock.
final class PullConsumer: ListConsumer, @unchecked Sendable {
  private let list: LiveList
  private let state = Locked(State())

  private struct State {
    var backlog = ListBacklog()
    var waiter: CheckedContinuation<Void, Never>?
    var failure: CauldronError?
    var isCancelled = false

    /// Whether somebody who waits has to look.
    var hasNews: Bool { isCancelled || failure != nil || !backlog.isEmpty }

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      guard hasNews else { return nil }
      defer { waiter = nil }
      return waiter
    }
  }

  init(_ list: LiveList) {
    self.list = list
    list.add(self)
    // It may have ended before anybody could be told.
    if list.hasEnded { fail(.closed()) }
  }

  func note(_ snapshot: RowSnapshot, touched: ListTouches, isReload: Bool, version: Int) {
    state.withLock {
      $0.backlog.note(snapshot, touched: touched, isReload: isReload, version: version)
    }
  }

  func fail(_ error: CauldronError) {
    wake { $0.failure = error }
  }

  func prepare() { wake { _ in } }

  func deliverHere() { wake { _ in } }

  private func wake(_ change: (inout State) -> Void) {
    let waiter = state.withLock { state in
      change(&state)
      return state.takeWaiter()
    }
    waiter?.resume()
  }

  /// The next state that differs from the last one; nil where the task was cancelled.
  /// - Throws: What has kept the list from being right.
  func next() async throws -> ListDelivery? {
    while true {
      await news()
      let (work, failure, isCancelled) = state.withLock { state in
        defer { state.failure = nil }
        return (state.backlog.work, state.failure, state.isCancelled)
      }
      if isCancelled || Task.isCancelled { return nil }
      if let failure { throw failure }
      guard let work else { continue }
      let delivery = ListDelivery(work, list.coordinator)
      state.withLock { $0.backlog.show(work) }
      if !delivery.isEmpty { return delivery }
    }
  }

  /// Waits until there is something to look at.
  private func news() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNow = state.withLock { state in
          if state.hasNews { return true }
          state.waiter = continuation
          return false
        }
        if isNow { continuation.resume() }
      }
    } onCancel: {
      wake { $0.isCancelled = true }
    }
  }
}
