/// How often something happened without which a game of rivals would mean little.
struct RivalTally {
  enum Event: CaseIterable {
    case push, refusedPush, commit, writtenLayer, refusedLayer
    /// The store has refused a commit as a whole.
    case refusedCommit
    /// The other side has changed the same rows between a commit's check and its writing.
    case overtakenCommit
  }

  private(set) var counts: [Event: Int] = Dictionary(
    uniqueKeysWithValues: Event.allCases.map { ($0, 0) })

  mutating func add(_ event: Event, _ count: Int = 1) { counts[event, default: 0] += count }

  mutating func add(_ other: RivalTally) { counts.merge(other.counts, uniquingKeysWith: +) }
}
