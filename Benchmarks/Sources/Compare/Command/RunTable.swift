import ArgumentParser
import Foundation

/// Measures everything, each row in a process of its own, and reports.
struct RunTable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table", abstract: "Measure and print the table.")

  @OptionGroup var measuring: MeasuringOptions

  @Option(help: "Measure only the rows whose name matches this regular expression.")
  var only: String?

  @Option(help: "Where to write the figures; the chart and the table go beside them.")
  var json = ".build/bench.json"

  func run() throws {
    let contests = try chosen()
    var table = TextTable()
    table.begin(runs: measuring.settings.runs)
    var outcomes: [Outcome] = []
    for contest in contests {
      for outcome in outcome(of: contest) {
        table.add(outcome)
        outcomes.append(outcome)
      }
    }
    table.end()
    try write(outcomes)
  }

  private func chosen() throws -> [Contest] {
    let contests = Contest.all(measuring.settings)
    guard let only else { return contests }
    let pattern = try Regex(only)
    return contests.filter { $0.name.contains(pattern) }
  }

  /// What a row finds; a row that fails does not end the others.
  private func outcome(of contest: Contest) -> [Outcome] {
    do {
      return try ChildProcess.run(
        ["contest", contest.name] + measuring.arguments
          + (contest.ownsMainThread ? ["--main-thread"] : []), as: [Outcome].self)
    } catch {
      return [Outcome(name: contest.name, note: "failed: \(error)")]
    }
  }

  private func write(_ outcomes: [Outcome]) throws {
    let url = URL(filePath: json)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FigureFile.encode(outcomes).write(to: url)
    let chart = url.deletingPathExtension().appendingPathExtension("svg")
    try Data(BarChart(outcomes).svg.utf8).write(to: chart)
    let table = url.deletingPathExtension().appendingPathExtension("md")
    try Data(MarkdownTable.text(outcomes).utf8).write(to: table)
    print("Wrote \(url.relativePath), \(chart.relativePath) and \(table.relativePath)")
  }
}
