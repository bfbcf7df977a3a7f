import CauldronModel

/// Says whether something goes on.
final class Flag: Sendable {
  private let state = Locked(true)

  var isUp: Bool { state.withLock { $0 } }

  func lower() { state.withLock { $0 = false } }
}

/// Counts, from any thread.
final class Counter: Sendable {
  private let state = Locked(0)

  var value: Int { state.withLock { $0 } }

  func add(_ number: Int = 1) { state.withLock { $0 += number } }
}
