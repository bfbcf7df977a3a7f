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
