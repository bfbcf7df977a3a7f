import ArgumentParser
import Foundation

/// Two processes of four contexts each that find or create the same objects.
struct Names: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Has eight contexts of two processes find or create the same names.",
    discussion: """
      There must be one row for each name, which has the ID and the values that everybody was told, \
      and what each of the eight has set. In every second round the contexts discard half of what \
      they made; what somebody else saved must be there all the same, and nothing else.
      """)

  @Option(help: "How many stores are tried.")
  var count = 20

  @Option(help: "How many names all ask for.")
  var names = 1_000

  @Option(help: "Decides who asks for what when; random by default.")
  var seed: UInt64?

  func validate() throws {
    if count < 1 || names < 1 { throw ValidationError("There is nothing to do.") }
  }

  func run() async throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "soak-names-\(seed)-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var saved = 0
    for number in 0..<count {
      let url = folder.appending(path: "names-\(number).sqlite")
      let round = try NamesRound(
        store: url, names: names, seed: seed &+ UInt64(number) &* 104_729,
        discards: number % 2 == 1)
      let verdict = try NamesVerdict(round, url)
      saved += round.reports.count
      let isComplete =
        number % 2 == 1
        || round.reports.count == names * NamesModel.contexts * NamesModel.processes
      guard verdict.isClean, isComplete else {
        throw report(verdict, number + 1, saved, seed, url)
      }
    }
    print(line(count, saved, .clean, seed))
    try? FileManager.default.removeItem(at: folder)
  }

  private func report(
    _ verdict: NamesVerdict, _ rounds: Int, _ saved: Int, _ seed: UInt64, _ url: URL
  ) -> ExitCode {
    print(line(rounds, saved, verdict, seed))
    for problem in verdict.lost.prefix(20) { print("lost: \(problem)") }
    for problem in verdict.doubled.prefix(20) { print("doubled: \(problem)") }
    for problem in verdict.wrong.prefix(20) { print("wrong: \(problem)") }
    print("store: \(url.path)")
    print(
      "again: swift run -c release soak names --count \(rounds) --names \(names) --seed \(seed)")
    return ExitCode(1)
  }

  private func line(
    _ rounds: Int, _ saved: Int, _ verdict: NamesVerdict, _ seed: UInt64
  ) -> String {
    "names: \(rounds) rounds of \(names), \(saved) saved, \(verdict.lost.count) lost,"
      + " \(verdict.doubled.count) doubled, \(verdict.wrong.count) wrong, seed \(seed)"
  }
}
