import Cauldron
import Foundation
import Testing

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

/// One cell of a table, to be carried out in two contexts.
struct ConflictCell: CustomStringConvertible {
  let meeting: ConflictArticle.Meeting
  let policy: MergePolicy
  /// What the table says.
  let word: String
  let receiver: ConflictReceiver
  let kind: StoreKind
  /// Whether the other one of a test's two forms is meant.
  let isOther: Bool

  var description: String { "\(meeting), \(policy), \(receiver), \(kind), other form \(isOther)" }

  static func all(_ meeting: ConflictArticle.Meeting, _ receiver: ConflictReceiver) -> [Self] {
    StoreKind.allCases.flatMap { kind in
      meeting.words.flatMap { policy, word in
        [false, true].map { isOther in
          ConflictCell(
            meeting: meeting, policy: policy, word: word, receiver: receiver, kind: kind,
            isOther: isOther)
        }
      }
    }
  }

  /// Saves the own context, and compares its receiver, and then the store, with the meaning of the word.
  func conclude(
    _ bench: Bench, _ mine: ManagedObjectContext, reader: ManagedObjectContext, expected: String,
    state: (ManagedObjectContext) throws -> String
  ) throws {
    if word == "conflict" {
      let error = cauldronError { try mine.save(mergePolicy: policy) }
      #expect(error?.code == .saveConflict, "\(self)")
      #expect(mine.hasChanges, "\(self)")
    } else {
      try mine.save(mergePolicy: policy)
      #expect(!mine.hasChanges, "\(self)")
    }
    #expect(try state(reader) == expected, "\(self)")
    guard receiver == .parent else { return }
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(try state(bench.committed()) == expected, "\(self), stored")
  }
}
