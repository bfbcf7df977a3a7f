import GraphKit

/// What a command has done, and what it has met that the dictionaries leave open.
struct ModelTally {
  var steps = 0
  private var passed: [String: Int] = [:]
  private var open = 0
  private var risky = 0

  /// Adds a run.
  mutating func note(_ report: RiskReport) {
    steps += report.steps
    risky += report.steps
    open += report.open
    for (defect, count) in report.passed { passed[defect.rawValue, default: 0] += count }
  }

  /// How often each kind was met, for all operations and for ten thousand of those with conflicts.
  var lines: [String] {
    let went = passed.sorted { $0.key < $1.key }
      .map { "  \($0.key), and gone on: \($0.value)\(rate($0.value))" }
    return went + (open == 0 ? [] : ["  open: \(open)\(rate(open))"])
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
