import Foundation

/// What a page shows beside its list; it is sent several times a second, also as the heartbeat of
/// the stream.
struct Pulse: Codable, Sendable {
  let time: Date
  let counts: LiveCounts.Numbers
  /// The longest stalls of the main queue in milliseconds: since the import began, and since the
  /// last pulse.
  let longestStall: Double
  let recentStall: Double
  let progress: Importer.Progress?
  /// What was logged since the last pulse.
  let log: [SaveLog.Line]
}
