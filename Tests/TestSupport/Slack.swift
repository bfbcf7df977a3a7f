import Foundation

/// How much slower than an idle machine the tests may be; for sanitizers and loaded machines.
package let slack: Double =
  ProcessInfo.processInfo.environment["CAULDRON_TEST_SLACK"].flatMap(Double.init) ?? 1
