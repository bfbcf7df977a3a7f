import Cauldron

/// What the stream tells of a new version of a list: the whole shape of it, and how it comes from
/// the version before.
struct ListChange: Codable, Sendable {
  struct Section: Codable, Hashable, Sendable {
    let name: String
    let count: Int
  }

  /// Counts the versions from 1; where one is left out, the page asks for all it shows anew.
  let version: Int
  let count: Int
  let sections: [Section]
  /// Whether the version before is to be forgotten; then the changes are empty.
  let isReload: Bool
  /// The places in the version before.
  let deletions: [Int]
  /// The places in this version.
  let insertions: [Int]
  /// From a place in the version before to one in this version.
  let moves: [[Int]]
  /// The places in this version.
  let updates: [Int]
}

extension ListChange {
  init(_ version: Version) {
    let (snapshot, difference) = (version.snapshot, version.difference)
    self.version = version.number
    count = snapshot.count
    sections = snapshot.sections.map { Section(name: $0.name, count: $0.numberOfObjects) }
    isReload = difference?.isReload ?? true
    deletions = difference?.deletions.map(\.place) ?? []
    insertions = difference?.insertions.map(\.place) ?? []
    moves = difference?.moves.map { [$0.from, $0.to] } ?? []
    updates = difference?.updates.map(\.to) ?? []
  }
}
