import Cauldron
import Foundation

/// The tables of the article about conflicts: for each meeting of two changes, the word of each policy.
struct ConflictArticle {
  /// One line of a table.
  struct Meeting: Sendable, CustomStringConvertible {
    /// What this save has done.
    let here: String
    /// What the other side has done before.
    let there: String
    /// What comes of it, by policy.
    let words: [(policy: MergePolicy, word: String)]

    var description: String { "\(here), \(there)" }
  }

  /// The lines of the table under a heading.
  static func meetings(_ heading: String) -> [Meeting] {
    let url = PortingTable.package.appending(path: "Sources/Cauldron/Cauldron.docc/Conflicts.md")
    guard let text = try? String(contentsOf: url, encoding: .utf8),
      let start = text.range(of: "## \(heading)\n")
    else { return [] }
    let section = text[start.upperBound...].components(separatedBy: "\n## ")[0]
    let lines = PortingTable.lines(section)
    let policies = lines.first?.dropFirst(2).compactMap { name in
      Pairs.policies.first { "`.\($0)`" == name }
    }
    return lines.dropFirst().map { cells in
      Meeting(
        here: cells[0], there: cells[1], words: Array(zip(policies ?? [], cells.dropFirst(2))))
    }
  }
}

/// The receiver of both saves.
enum ConflictReceiver: CaseIterable, Sendable { case parent, store }

extension Bench {
  /// Two contexts that save into the same receiver, and a new one that sees what the receiver has.
  func rivals(
    _ receiver: ConflictReceiver
  ) -> (mine: ManagedObjectContext, theirs: ManagedObjectContext, reader: ManagedObjectContext) {
    switch receiver {
    case .store: (committed(), committed(), committed())
    case .parent: (child("Mine"), child("Theirs"), child("Reader"))
    }
  }
}
