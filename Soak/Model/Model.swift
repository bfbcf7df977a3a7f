import ArgumentParser
import Foundation
import GraphKit

/// Does what the tests do with random operations, for much longer.
struct Model: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs random operations on contexts and on dictionaries, and compares them.",
    discussion: """
      Each run has a store of its own, and the number after the seed of the one before. After each \
      operation every context must show what the dictionaries show, and in the end the file. One run in \
      four makes conflicts, of a family that its seed decides. Where they differ, operations are left out \
      one after the other as long as the rest differs, too, and the command ends with status 1.
      """)

  @Option(help: "How many operations are tried.")
  var count = 100_000

  @Option(help: "How many of them each run has.")
  var steps = 300

  @Option(help: "Decides what is done; random by default.")
  var seed: UInt64?

  @Option(
    help: """
      What is tried: \(RiskFamily.allCases.map(\.rawValue).joined(separator: ", ")); "clean" for \
      operations without conflicts, "all" for these and, in one run of four, any family.
      """)
  var family = ModelFamily.all

  @Flag(help: "Tells all that a run does which differs, instead of making it shorter.")
  var tells = false

  func validate() throws {
    if count < 1 || steps < 1 { throw ValidationError("There is nothing to do.") }
  }

  func run() throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
    var tally = ModelTally()
    var number: UInt64 = 0
    while tally.steps < count {
      let steps = min(steps, count - tally.steps)
      if let family = family.risk(of: seed &+ number) {
        try look(at: seed &+ number, steps, family, &tally)
      } else {
        try look(at: seed &+ number, steps, &tally)
      }
      number += 1
      if number % 100 == 0 {
        print("\(number) runs, \(tally.steps) operations")
        fflush(nil)
      }
    }
    for line in tally.lines { print(line) }
    print(line(Int(number), tally.steps, differences: 0, seed))
    if tally.isTooOpen {
      print(
        "Of more than \(Int(RiskReport.openLimit * 100)) % of the operations the outcome is open.")
      throw ExitCode(1)
    }
  }

  /// Operations without conflicts.
  private func look(at seed: UInt64, _ steps: Int, _ tally: inout ModelTally) throws {
    var generator = SoakGenerator(seed: seed)
    let operations = GraphRun.operations(steps, using: &generator)
    let contexts = Int(seed % 4) + 1
    tally.steps += steps
    guard let difference = try GraphRun.run(operations, contexts: contexts) else { return }
    print(line(1, steps, differences: 1, seed))
    print("difference: \(difference)")
    // What is found must be seen while it is made shorter, which may take minutes.
    fflush(nil)
    if tells {
      let story = try GraphRun.story(of: operations, contexts: contexts)
      print(story.joined(separator: "\n"))
      throw ExitCode(1)
    }
    let short = try GraphRun.shrunk(operations, contexts: contexts)
    print("\(short.count) operations in \(contexts) contexts are enough: \(short)")
    for line in try GraphRun.story(of: short, contexts: contexts) { print("  \(line)") }
    print("again: swift run -c release soak model --count \(steps) --steps \(steps) --seed \(seed)")
    throw ExitCode(1)
  }

  /// Operations with conflicts.
  private func look(
    at seed: UInt64, _ steps: Int, _ family: RiskFamily, _ tally: inout ModelTally
  ) throws {
    var generator = SoakGenerator(seed: seed)
    let operations = GraphRun.operations(steps, using: &generator)
    let setup = RiskSetup(seed)
    let report = try RiskRun.run(operations, family, setup)
    tally.note(report)
    guard let difference = report.difference else { return }
    print(line(1, steps, differences: 1, seed))
    print("difference (\(family.rawValue)): \(difference)")
    fflush(nil)
    let short = tells ? operations : try RiskRun.shrunk(operations, family, setup)
    let again = try RiskRun.run(short, family, setup)
    print("\(short.count) operations are enough: \(again.difference ?? "")")
    for line in again.story { print("  \(line)") }
    print(
      "again: swift run -c release soak model --family \(family.rawValue) --count \(steps) "
        + "--steps \(steps) --seed \(seed)")
    throw ExitCode(1)
  }

  private func line(_ runs: Int, _ count: Int, differences: Int, _ seed: UInt64) -> String {
    "model: \(runs) runs, \(count) operations, \(differences) differences, seed \(seed)"
  }
}
