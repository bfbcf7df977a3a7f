import Dispatch

/// Measures how long the main queue is kept from its work: a timer is to fire on it every
/// millisecond, and the longest delay is the longest stall.
///
/// `@unchecked Sendable` because the state is touched on the main queue only.
final class Heartbeat: @unchecked Sendable {
  private static let interval: UInt64 = 1_000_000

  private let timer = DispatchSource.makeTimerSource(flags: .strict, queue: .main)
  private var last: UInt64 = 0
  private var longest: UInt64 = 0

  /// Starts the timer; returns when it runs.
  func start() {
    timer.setEventHandler { self.beat() }
    timer.schedule(
      deadline: .now(), repeating: .nanoseconds(Int(Self.interval)), leeway: .nanoseconds(0))
    timer.activate()
    DispatchQueue.main.sync { self.last = Clock.now }
  }

  /// Stops the timer and tells the longest stall in milliseconds.
  func stop() -> Double {
    DispatchQueue.main.sync {
      beat()
      timer.cancel()
      timer.setEventHandler {}
      return Double(longest) / 1_000_000
    }
  }

  private func beat() {
    let now = Clock.now
    let gap = last == 0 ? 0 : now - last
    longest = max(longest, gap > Self.interval ? gap - Self.interval : 0)
    last = now
  }
}
