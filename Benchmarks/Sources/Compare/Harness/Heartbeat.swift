import Dispatch
import Foundation

/// Knocks at the main queue all the time.
enum Heartbeat {
  private final class State: @unchecked Sendable {
    private let lock = NSLock()
    private var isStopped = false
    private var longest = 0.0

    func stop() { lock.withLock { isStopped = true } }
    var isRunning: Bool { lock.withLock { !isStopped } }
    var longestWait: Double { lock.withLock { longest } }
    func note(_ wait: Double) { lock.withLock { longest = max(longest, wait) } }
  }

  /// The longest time, in milliseconds, that the main queue let a block wait while work ran here.
  static func longestWait(_ work: () throws -> Void) rethrows -> Double {
    let state = State()
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while state.isRunning {
        let start = now()
        DispatchQueue.main.sync {}
        state.note(now() - start)
        usleep(200)
      }
      ended.signal()
    }
    defer {
      state.stop()
      ended.wait()
    }
    try work()
    return state.longestWait
  }
}
