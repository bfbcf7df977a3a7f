/// What is wrong with a run.
struct LedgerVerdict: Sendable {
  var lost: [String] = []
  var wrong: [String]
  var histories: [String] = []

  init(wrong: [String] = []) { self.wrong = wrong }

  var isClean: Bool { lost.isEmpty && wrong.isEmpty }

  /// Goes from the value in the file back to the first one, from each edit to what it replaced;
  /// what was acknowledged is met once, what was refused is not met.
  mutating func follow(
    _ place: LedgerEntry.Place, from value: Int, to opening: Int, _ entries: [LedgerEntry]
  ) {
    let before = lost.count + wrong.count
    let byValue = Dictionary(entries.map { ($0.new, $0) }) { first, _ in first }
    var met: Set<Int> = []
    var chain: [String] = []
    var value = value
    while value != opening {
      guard let entry = byValue[value] else {
        wrong.append("\(place.account).\(place.property) has \(value), which nobody wrote")
        break
      }
      guard met.insert(value).inserted else {
        wrong.append("\(entry): met twice")
        break
      }
      chain.append("\(entry)")
      if entry.answer == .refused { wrong.append("\(entry): but it was written") }
      value = entry.predecessor
    }
    let gone = entries.filter { $0.answer == .acknowledged && !met.contains($0.new) }
    lost += gone.map(\.description)
    if lost.count + wrong.count > before {
      histories.append("history of \(place.account).\(place.property):")
      histories += chain.reversed().map { "  \($0)" }
      // Which edits had the same one before them tells where the history forks.
      let values = Set(gone.map(\.predecessor))
      let forks = entries.filter { values.contains($0.predecessor) || values.contains($0.new) }
      histories += forks.map { "  fork: \($0)" }
    }
  }
}
