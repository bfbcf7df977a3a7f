import CauldronImport
import CauldronModel

/// What an import has to tell.
struct NaiveReport: Sendable {
  struct Problem: Hashable, Sendable, CustomStringConvertible {
    let record: Int
    /// Those that it may be: which of several is told is open.
    let wrongs: Set<Wrong>
    let isRefused: Bool

    var description: String {
      let all = wrongs.map { "\($0.pointer) \($0.code)" }.sorted().joined(separator: " or ")
      return "\(isRefused ? "refused" : "left out"): \(all)"
    }
  }

  var records = 0
  var created = 0
  var updated = 0
  var unchanged = 0
  var deleted = 0
  var committed = 0
  /// Created and updated ones, by entity.
  var related: [String: [Int]] = [:]
  var problems: [Problem] = []

  var refused: Int { problems.count { $0.isRefused } }

  /// What another report tells otherwise; nil where nothing is.
  func difference(_ report: ImportReport) -> String? {
    let mine = [records, created, updated, unchanged, refused, 0, deleted, committed]
    let theirs = [
      report.records, report.created, report.updated, report.unchanged, report.refused,
      report.declined, report.deleted, report.committed,
    ]
    let names = "records created updated unchanged refused declined deleted committed".split(
      separator: " ")
    for (name, (mine, theirs)) in zip(names, zip(mine, theirs)) where mine != theirs {
      return "\(theirs) \(name), not \(mine)"
    }
    let found = report.related.mapValues { [$0.created, $0.updated] }.filter { $1 != [0, 0] }
    let wanted = related.filter { $1 != [0, 0] }
    if found != wanted { return "related are \(found), not \(wanted)" }
    return difference(report.problems)
  }

  private func difference(_ found: [ImportProblem]) -> String? {
    var left = problems
    for problem in found {
      let wrong = Wrong(pointer: problem.pointer, code: problem.code)
      let place = left.firstIndex { mine in
        mine.record == problem.record && mine.wrongs.contains(wrong)
          && mine.isRefused == (problem.consequence == .refused)
      }
      guard let place else {
        return "\(problem.consequence) \(problem.pointer) \(problem.code) (\(problem.reason))"
          + " is not among \(left)"
      }
      left.remove(at: place)
    }
    return left.isEmpty ? nil : "nothing tells that \(left)"
  }
}
