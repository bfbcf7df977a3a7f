package import Dispatch
import Logging

extension Logger.Metadata {
  /// Notes a count for a log line; zero tells nothing, and is left out.
  package mutating func note(_ count: Int, as key: String) {
    if count != 0 { self[key] = "\(count)" }
  }

  /// Notes a time for a log line; zero tells nothing, and is left out.
  package mutating func note(milliseconds: Double, as key: String) {
    if milliseconds != 0 { self[key] = "\(milliseconds) ms" }
  }
}

extension DispatchTime {
  /// The time between two moments, in milliseconds with three digits.
  package func milliseconds(to end: DispatchTime) -> Double {
    let nanoseconds = Double(end.uptimeNanoseconds &- uptimeNanoseconds)
    return (nanoseconds / 1_000).rounded() / 1_000
  }
}
