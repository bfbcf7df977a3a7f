import Dispatch
import Foundation

/// The two clocks of the comparison.
enum Clock {
  /// Nanoseconds since some moment.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// The milliseconds since a moment.
  static func milliseconds(since start: UInt64) -> Double { Double(now - start) / 1_000_000 }

  /// The processor time in milliseconds that the main thread has used so far; called on any
  /// thread but that one.
  static var mainThread: Double {
    DispatchQueue.main.sync {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }
  }
}

/// What one piece of work took, in milliseconds.
struct Figures: Sendable {
  /// From the call to the answer.
  var total = Double.infinity
  /// The main thread's share of it.
  var main = Double.infinity
  /// The longest time that the main queue could not work.
  var stall = Double.infinity

  /// The best of several runs, figure by figure.
  func better(_ other: Figures) -> Figures {
    Figures(
      total: min(total, other.total), main: min(main, other.main),
      stall: min(stall, other.stall))
  }
}
