import Foundation

/// How much slower than an idle machine the tests may be; for sanitizers and loaded machines.
package let slack: Double =
  ProcessInfo.processInfo.environment["CAULDRON_TEST_SLACK"].flatMap(Double.init) ?? 1

/// How many seconds a test waits for what has to come, which costs nothing where it comes: beside other tests
/// a task may get no thread for many seconds.
package let patience = 60 * slack
