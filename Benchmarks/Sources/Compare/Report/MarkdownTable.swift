import Foundation

/// The figures as the documentation shows them: ratios rather than times, targets with results.
enum MarkdownTable {
  static func text(_ outcomes: [Outcome]) -> String {
    let head = """
      | work | to raw | to GRDB | to GRDB, cached | to GRDB, Codable | target | result |
      |---|---|---|---|---|---|---|

      """
    return head + outcomes.map(row).joined()
  }

  private static func row(_ outcome: Outcome) -> String {
    let ratios = [Contender.raw, .grdb, .cached, .codable].map { who in
      outcome.ratio(to: who).map { String(format: "%.2f", $0) } ?? "–"
    }
    let targets = outcome.targets.map(\.text)
    var results = outcome.targets.map { target in
      target.text(of: outcome) + (target.isMet(outcome) == true ? "" : ", missed")
    }
    if !outcome.comparesOnlyWithBase, let ratio = outcome.ratio(to: .base) {
      results.append(String(format: "%.2f × base", ratio))
    } else if targets.isEmpty {
      results = [figure(outcome)].compactMap { $0 }
    }
    let name = outcome.base.map { "\(outcome.name) (base: \($0))" } ?? outcome.name
    let cells =
      [name] + ratios + [targets, results].map { $0.isEmpty ? "–" : $0.joined(separator: "; ") }
    return "| " + cells.joined(separator: " | ") + " |\n"
  }

  /// What a row without a target tells beyond its ratios.
  private static func figure(_ outcome: Outcome) -> String? {
    if let ratio = outcome.ratio(to: .base) { return String(format: "%.2f × base", ratio) }
    if let stall = outcome.stats[.ours]?.stall { return Target.time(stall * 1e6) + " at most" }
    if let main = outcome.stats[.ours]?.main { return Target.time(main * 1e6) + " on main" }
    guard outcome.wall(.raw) == nil, let time = outcome.wall(.ours) else { return nil }
    return Target.time(time * 1e6 / Double(outcome.operations))
      + (outcome.operations > 1 ? " each" : "")
  }
}
