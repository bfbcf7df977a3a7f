import CauldronModel
import Observation

/// Counts how often observations are told.
struct Told: Sendable {
  private struct State {
    var count = 0
    var last = 0
  }

  private let state = Locked(State())

  /// Observes what `read` reads, until that is told once, and nothing else any more.
  func watch(_ read: () -> Void) { watch(isSole: true, read) }

  /// Observes what `read` reads, until that is told once, too.
  func watchAlso(_ read: () -> Void) { watch(isSole: false, read) }

  private func watch(isSole: Bool, _ read: () -> Void) {
    let number = state.withLock { state in
      if isSole { state.last += 1 }
      return state.last
    }
    withObservationTracking(read) { [state] in
      state.withLock { if $0.last == number { $0.count += 1 } }
    }
  }

  /// How often it was told since this was asked last.
  func take() -> Int {
    state.withLock { state in
      defer { state.count = 0 }
      return state.count
    }
  }
}

/// Lends a value to a closure that has to be Sendable.
///
/// `@unchecked Sendable` because the closure runs on the queue that the value belongs to.
struct Lent<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
