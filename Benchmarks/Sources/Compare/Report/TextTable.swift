import Foundation

/// Prints rows as they come, and counts the targets.
struct TextTable {
  private var targets = 0
  private var met = 0

  mutating func begin(runs: Int) {
    print("Median of \(runs) runs after a warm-up, contenders in turn; × is our time over theirs,")
    print("CPU × the same in processor time, over raw or else the base.\n")
    line([
      "", "ours", "raw", "GRDB", "Codable", "base", "× raw", "× GRDB", "× Cod.", "× base",
      "CPU ×",
    ])
  }

  mutating func add(_ outcome: Outcome) {
    func time(_ who: Contender) -> String {
      outcome.wall(who).map { Target.time($0 * 1e6) } ?? "–"
    }
    func ratio(_ who: Contender) -> String {
      outcome.ratio(to: who).map { String(format: "%.2f", $0) } ?? "–"
    }
    let others: [Contender] = [.raw, .grdb, .codable, .base]
    let ours = outcome.bytes.map { "\(Int($0.rounded())) bytes" } ?? time(.ours)
    let processor = outcome.processorRatio.map { String(format: "%.2f", $0) } ?? "–"
    line([outcome.name, ours] + others.map(time) + others.map(ratio) + [processor])
    explain(outcome)
    for target in outcome.targets { judge(target, outcome) }
    // Every stream: Swift 6 refuses to name `stdout`.
    fflush(nil)
  }

  func end() { print("\n\(met) of \(targets) targets met") }

  private func explain(_ outcome: Outcome) {
    if let main = outcome.stats[.ours]?.main {
      print("    main queue: \(Target.time(main * 1e6))")
    }
    if let stall = outcome.stats[.ours]?.stall {
      let bare = outcome.stats[.base]?.stall.map { "; base: \(Target.time($0 * 1e6))" } ?? ""
      print("    main queue, longest stall of all runs: \(Target.time(stall * 1e6))\(bare)")
    }
    if let cached = outcome.wall(.cached), let ratio = outcome.ratio(to: .cached) {
      let text = "\(Target.time(cached * 1e6)), \(String(format: "%.2f", ratio)) ×"
      print("    GRDB with statements prepared once: \(text)")
    }
    if let base = outcome.base { print("    base: \(base)") }
    if let note = outcome.note { print("    \(note)") }
    if let peak = outcome.peakRSS { print("    at most \(Int(peak)) MB resident") }
  }

  private mutating func judge(_ target: Target, _ outcome: Outcome) {
    let isMet = target.isMet(outcome) == true
    targets += 1
    if isMet { met += 1 }
    print("    \(isMet ? "met   " : "MISSED") target \(target.text): \(target.text(of: outcome))")
  }

  private func line(_ cells: [String]) {
    let widths = [68, 10, 10, 10, 10, 10, 7, 7, 7, 7, 9]
    let padded = zip(cells, widths).enumerated().map { index, cell in
      let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return index == 0 ? cell.0 + space : space + cell.0
    }
    print(padded.joined(separator: " "))
  }
}
