import CauldronLedger
import CauldronModel
import Dispatch

extension LiveValue {
  /// The next value that differs from the last one; nil where the task was cancelled.
  /// - Throws: What keeps it from being gathered.
  func next() async throws -> Value? {
    while true {
      await news()
      let (isCancelled, hasEnded) = state.withLock { ($0.isCancelled, $0.hasEnded) }
      if isCancelled || Task.isCancelled { return nil }
      if hasEnded { throw CauldronError.closed() }
      // Where others write all the time, four fifths of it are left to them.
      let now = DispatchTime.now().uptimeNanoseconds
      let pause = state.withLock { $0.nextTime.uptimeNanoseconds }
      if pause > now, (try? await Task.sleep(nanoseconds: pause - now)) == nil { return nil }
      let value = try await gathered()
      // Compared and let go outside the lock, which the ledger's lock is held beside.
      let last = state.withLock { state in
        defer { state.shown = value }
        return state.shown
      }
      if last != value { return value }
    }
  }

  func wake(_ change: (inout State) -> Void) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      change(&state)
      guard state.hasNews else { return nil }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
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

  /// Gathers on the value's own queue, and notes how long others are to be left alone after it.
  private func gathered() async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        let began = DispatchTime.now().uptimeNanoseconds
        let result = Result { try gatheredNow() }
        let now = DispatchTime.now().uptimeNanoseconds
        state.withLock { $0.nextTime = DispatchTime(uptimeNanoseconds: now + 4 * (now - began)) }
        continuation.resume(with: result)
      }
    }
  }

  private func gatheredNow() throws -> Value {
    let reader = enterJournal()
    do {
      while true {
        if coordinator.isClosed { throw CauldronError.closed() }
        let exchanged = ledger.provisional.exchangeCount
        let (value, end) = try coordinator.read(for: node) { snapshot in
          var builder = RowBuilder()
          let seen = includesPendingChanges ? snapshot : snapshot.withoutLayers
          return (
            try gathering(seen, ledger.provisional, &builder), snapshot.chain.instant.journalEnd
          )
        }.0
        // Keys of the query's own objects may have changed meanwhile.
        guard exchanged == ledger.provisional.exchangeCount else { continue }
        hasGathered(reader, upTo: end)
        return value
      }
    } catch {
      stepSoon()
      throw CauldronError.wrap(error)
    }
  }
}
