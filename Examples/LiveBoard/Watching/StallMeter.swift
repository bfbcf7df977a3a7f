import Dispatch
import Synchronization

/// Measures how long the main queue is kept from its work: a timer is to fire on it every 5 ms, and
/// what it comes too late is a stall.
///
/// `@unchecked Sendable` because the timer is not touched after it is started, and the rest is locked.
final class StallMeter: @unchecked Sendable {
  private struct State {
    var last: UInt64 = 0
    var longest: UInt64 = 0
    var recent: UInt64 = 0
  }

  private static let interval: UInt64 = 5_000_000
  private let timer: any DispatchSourceTimer
  private let state = Mutex(State())

  init() {
    timer = DispatchSource.makeTimerSource(flags: .strict, queue: .main)
  }

  func start() {
    timer.setEventHandler { [weak self] in self?.beat() }
    timer.schedule(
      deadline: .now(), repeating: .nanoseconds(Int(Self.interval)), leeway: .nanoseconds(0))
    timer.activate()
  }

  /// The longest stall since the last ``reset()``, in milliseconds.
  var longest: Double { Double(state.withLock { $0.longest }) / 1e6 }

  /// The longest stall since this was asked last, in milliseconds.
  func takeRecent() -> Double {
    state.withLock { state in
      defer { state.recent = 0 }
      return Double(state.recent) / 1e6
    }
  }

  func reset() { state.withLock { $0.longest = 0 } }

  private func beat() {
    let now = DispatchTime.now().uptimeNanoseconds
    state.withLock { state in
      let gap = state.last == 0 ? 0 : now - state.last
      let stall = gap > Self.interval ? gap - Self.interval : 0
      state.longest = max(state.longest, stall)
      state.recent = max(state.recent, stall)
      state.last = now
    }
  }
}
