import ArgumentParser
import Foundation

/// Saves from many sides at once, and compares the file with what each save was told.
struct Ledger: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Has many tasks save to the same objects, and looks for answers that are not so.",
    discussion: """
      Each value is written once, so that each edit's value before it and the answer of its save \
      give the history of every property. It must lead from the first value to the one in the \
      file, over everything acknowledged and nothing refused. Every fourth run moves amounts, and \
      their sum must stay the same everywhere. What is saved follows from the seed, the order in \
      which tasks meet does not.
      """)

  @Option(help: "How many stores are tried.")
  var count = 200

  @Option(help: "How many saves each has.")
  var saves = 5_000

  @Option(help: "Decides what is saved; random by default.")
  var seed: UInt64?

  func validate() throws {
    if count < 1 || saves < 1 { throw ValidationError("There is nothing to do.") }
  }

  func run() async throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "soak-ledger-\(seed)-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var acknowledged = 0
    for number in 0..<count {
      let plan = LedgerPlan.allCases[number % LedgerPlan.allCases.count]
      let url = folder.appending(path: "ledger-\(number).sqlite")
      let run = try LedgerRun(plan, url)
      let verdict = try await run.run(saves: saves, seed: seed &+ UInt64(number) &* 104_729)
      acknowledged += run.book.acknowledged
      guard verdict.isClean else {
        throw report(verdict, number + 1, acknowledged, seed, plan, url)
      }
      if number % 10 == 9 { print("\(number + 1) runs, \(acknowledged) acknowledged") }
    }
    print(line(count, acknowledged, LedgerVerdict(), seed))
    try? FileManager.default.removeItem(at: folder)
  }

  private func report(
    _ verdict: LedgerVerdict, _ runs: Int, _ acknowledged: Int, _ seed: UInt64, _ plan: LedgerPlan,
    _ url: URL
  ) -> ExitCode {
    print(line(runs, acknowledged, verdict, seed))
    print("plan: \(plan)")
    for problem in verdict.lost { print("lost: \(problem)") }
    for problem in verdict.wrong { print("false: \(problem)") }
    for line in verdict.histories { print(line) }
    print("store: \(url.path)")
    print(
      "again: swift run -c release soak ledger --count \(runs) --saves \(saves) --seed \(seed)")
    return ExitCode(1)
  }

  private func line(
    _ runs: Int, _ acknowledged: Int, _ verdict: LedgerVerdict, _ seed: UInt64
  ) -> String {
    "ledger: \(runs) runs, \(runs * saves) saves, \(acknowledged) acknowledged,"
      + " \(verdict.lost.count) lost, \(verdict.wrong.count) false answers, seed \(seed)"
  }
}
