/// The seconds to wait for a lock, as SQLite can take them.
enum BusyTimeout {
  /// The greatest number of whole seconds whose milliseconds SQLite can count: 24 days.
  static let longest = 2_147_483.0

  /// The nearest number of seconds that SQLite can wait; none at all where it is not a number.
  static func bounded(_ seconds: Double) -> Double {
    seconds.isNaN ? 0 : min(max(seconds, 0), longest)
  }
}
