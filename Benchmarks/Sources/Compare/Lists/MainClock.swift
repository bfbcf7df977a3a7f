import Foundation

/// The processor time of the main thread; only of use in a process whose main queue keeps to it.
enum MainClock {
  /// Milliseconds since the thread began.
  static func now() -> Double { milliseconds(clock) }

  private static let clock: clockid_t = DispatchQueue.main.sync {
    var clock = clockid_t()
    pthread_getcpuclockid(pthread_self(), &clock)
    return clock
  }
}

/// What a piece of work took of the main thread, of the calling one, and of all others, in milliseconds
/// of processor time.
struct ThreadTimes {
  private let main = MainClock.now()
  private let caller = milliseconds(CLOCK_THREAD_CPUTIME_ID)
  private let process = milliseconds(CLOCK_PROCESS_CPUTIME_ID)

  /// What has passed since.
  var passed: (main: Double, others: Double) {
    let main = MainClock.now() - main
    let caller = milliseconds(CLOCK_THREAD_CPUTIME_ID) - caller
    return (main, milliseconds(CLOCK_PROCESS_CPUTIME_ID) - process - caller - main)
  }
}
