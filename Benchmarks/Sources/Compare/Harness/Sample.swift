import Foundation

/// What one run of one contender took.
struct Sample {
  /// Milliseconds on the clock.
  var wall: Double
  /// Milliseconds of processor time, of all threads; steadier than the clock on a busy machine.
  var cpu: Double
  /// Milliseconds that the main queue was kept busy, where that is what counts.
  var main: Double?
  /// The longest time in milliseconds for which the main queue let others wait.
  var stall: Double?

  /// The same, for one of several operations that were timed together.
  func divided(by count: Int) -> Sample {
    Sample(wall: wall / Double(count), cpu: cpu / Double(count), main: main, stall: stall)
  }
}

/// Milliseconds of a clock.
func milliseconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

func now() -> Double { milliseconds(CLOCK_MONOTONIC) }

/// Times a piece of work.
func measure(_ work: () throws -> Void) rethrows -> Sample {
  let cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID)
  let start = now()
  try work()
  let end = now()
  return Sample(wall: end - start, cpu: milliseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu)
}

/// Where results go, so that the compiler cannot leave out the work that made them.
nonisolated(unsafe) private var sink = 0

@inline(never)
func consume(_ value: Int) { sink &+= value }
