/// Who did the work.
enum Contender: String, Codable, CodingKeyRepresentable {
  case ours
  case raw
  /// GRDB, with records written by hand.
  case grdb
  /// GRDB, with statements that the program prepares once itself.
  case cached
  /// GRDB, with Codable records.
  case codable
  /// Something else to compare with: us in another situation, or no library at all.
  case base
}

/// What a row of the table found.
struct Outcome: Codable {
  let name: String
  /// How many operations the times are for.
  var operations = 1
  var stats: [Contender: Stat] = [:]
  /// What `base` is.
  var base: String?
  var targets: [Target] = []
  var note: String?
  /// Bytes for each object, beyond its data.
  var bytes: Double?
  var peakRSS: Double?

  func wall(_ who: Contender) -> Double? { stats[who]?.wall }

  /// Whether an operation is over in a few nanoseconds, so that only what it costs more matters.
  var isOfNanoseconds: Bool {
    stats[.base].map { $0.wall * 1e6 / Double(operations) < 10 } ?? false
  }

  /// Whether the base is all that there is to compare with, and a target tells of it.
  var comparesOnlyWithBase: Bool { stats[.raw] == nil }

  /// How many times as long we take.
  func ratio(to who: Contender) -> Double? {
    guard let ours = wall(.ours), let other = wall(who), other > 0 else { return nil }
    return ours / other
  }

  /// The same in processor time of all threads, which a busy machine disturbs less; against the
  /// C API, or else the row's base.
  var processorRatio: Double? {
    let other = stats[.raw] ?? stats[.base]
    guard let ours = stats[.ours]?.cpu, let other = other?.cpu, other > 0 else { return nil }
    return ours / other
  }
}

/// What a row has to reach.
struct Target: Codable {
  enum Measure: Codable {
    /// Our time over another's.
    case ratio(Contender)
    /// Another's time over ours: at least.
    case advantage(Contender)
    /// Our time beyond another's for each operation, in nanoseconds.
    case overhead(Contender)
    /// Our time for each operation, in nanoseconds.
    case operation
    /// The main queue's time, in milliseconds.
    case main
    /// The longest time for which the main queue let others wait, in milliseconds.
    case stall
    /// Bytes for each object.
    case bytes
  }

  let measure: Measure
  let limit: Double

  init(_ measure: Measure, _ limit: Double) {
    self.measure = measure
    self.limit = limit
  }

  func value(_ outcome: Outcome) -> Double? {
    switch measure {
    case .ratio(let who): return outcome.ratio(to: who)
    case .advantage(let who): return outcome.ratio(to: who).map { 1 / $0 }
    case .overhead(let who):
      guard let ours = outcome.wall(.ours), let other = outcome.wall(who) else { return nil }
      return (ours - other) * 1e6 / Double(outcome.operations)
    case .operation: return outcome.wall(.ours).map { $0 * 1e6 / Double(outcome.operations) }
    case .main: return outcome.stats[.ours]?.main
    case .stall: return outcome.stats[.ours]?.stall
    case .bytes: return outcome.bytes
    }
  }

  /// Whether the target is met; nil where nothing was measured.
  func isMet(_ outcome: Outcome) -> Bool? {
    value(outcome).map { value in
      if case .advantage = measure { value >= limit } else { value <= limit }
    }
  }
}
