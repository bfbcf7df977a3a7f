import Foundation

/// What all saves of a run were told.
final class LedgerBook: @unchecked Sendable {
  // Everything is touched under the lock.
  private let lock = NSLock()
  private var entries: [LedgerEntry] = []
  private var wrong: [String] = []
  private var saved = 0

  func note(_ some: [LedgerEntry], wrong more: [String] = []) {
    lock.withLock {
      entries += some
      wrong += more
      if some.contains(where: { $0.answer == .acknowledged }) { saved += 1 }
    }
  }

  func blame(_ problem: String) { lock.withLock { wrong.append(problem) } }

  /// How many saves were acknowledged.
  var acknowledged: Int { lock.withLock { saved } }

  /// Compares what was reported with the values in the file.
  func verdict(_ file: [LedgerEntry.Place: Int], _ opening: Int) -> LedgerVerdict {
    let (all, answers) = lock.withLock { (entries, wrong) }
    var verdict = LedgerVerdict(wrong: answers)
    let byPlace = Dictionary(grouping: all, by: \.place)
    for (place, value) in file {
      verdict.follow(place, from: value, to: opening, byPlace[place] ?? [])
    }
    return verdict
  }

  /// Nothing is followed where values are no fold of each other; only answers count.
  var verdictOfAnswers: LedgerVerdict { LedgerVerdict(wrong: lock.withLock { wrong }) }
}
