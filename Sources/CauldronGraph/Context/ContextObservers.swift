import CauldronModel

/// Who wants to be told about a context's changes, as values.
package final class ContextObservers: Sendable {
  private struct State: Sendable {
    var next = 0
    var handlers: [Int: @Sendable (ContextChange) -> Void] = [:]
  }

  private let state = Locked(State())

  var isEmpty: Bool { state.withLock { $0.handlers.isEmpty } }

  package func add(_ handler: @escaping @Sendable (ContextChange) -> Void) -> Int {
    state.withLock { state in
      state.next += 1
      state.handlers[state.next] = handler
      return state.next
    }
  }

  package func remove(_ number: Int) {
    let handler = state.withLock { $0.handlers.removeValue(forKey: number) }
    // Released here and not under the lock: with the closure may go what removes another one.
    withExtendedLifetime(handler) {}
  }

  /// Calls the observers in the order in which they came.
  func tell(_ change: ContextChange) {
    let handlers = state.withLock { state in
      state.handlers.isEmpty
        ? [] : state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler(change) }
  }
}
