import GraphKit

/// What a command has done, and which known kinds of differences it has met.
struct ModelTally {
  var steps = 0
  private var kinds: [String: Int] = [:]
  private var passed: [String: Int] = [:]
  private var open = 0
  private var risky = 0

  /// - Returns: Whether the kind of its difference is new.
  mutating func note(_ report: RiskReport) -> Bool {
    steps += report.steps
    risky += report.steps
    open += report.open
    for (defect, count) in report.passed { passed[defect.rawValue, default: 0] += count }
    guard let defect = report.defect else { return true }
    kinds[defect.rawValue, default: 0] += 1
    return kinds[defect.rawValue] == 1
  }

  /// How often each kind was met, for all operations and for ten thousand of those with conflicts.
  var lines: [String] {
    let ended = kinds.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)\(rate($0.value))" }
    let went = passed.sorted { $0.key < $1.key }
      .map { "  \($0.key): \($0.value)\(rate($0.value)), and gone on" }
    let opened = open == 0 ? [] : ["  open: \(open)\(rate(open))"]
    let all = ended + went + opened
    return all.isEmpty ? [] : ["known kinds of differences:"] + all
  }

  /// Whether so much is open that the rest says little.
  var isTooOpen: Bool {
    risky > 10_000 && Double(open) > Double(risky) * RiskReport.openLimit
  }

  private func rate(_ count: Int) -> String {
    if risky == 0 { return "" }
    let tenths = count * 100_000 / risky
    return " (\(tenths / 10).\(tenths % 10) of 10,000 operations)"
  }
}
