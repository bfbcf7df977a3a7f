import ArgumentParser
import Foundation
import ListKit

/// Does what the tests do with lists, for much longer.
struct Lists: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs random operations on contexts with lists, and compares these with fetches.",
    discussion: """
      Each run has a store of its own, and the number after the seed of the one before. Whenever a \
      list is looked at, it must show what a fetch returns, and what it has told must lead there: as \
      an array, as a delegate's calls, and as a collection's difference. Where it does not, the \
      operations are left out one after the other as long as the rest fails, too.
      """)

  @Option(help: "How many operations are tried.")
  var count = 100_000

  @Option(help: "How many of them each run has.")
  var steps = 250

  @Option(help: "Decides what is done; random by default.")
  var seed: UInt64?

  @Flag(help: "Tells all that a run does which differs, instead of making it shorter.")
  var tells = false

  func validate() throws {
    if count < 1 || steps < 1 { throw ValidationError("There is nothing to do.") }
  }

  func run() throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
    let runs = (count + steps - 1) / steps
    for number in 0..<runs {
      try look(at: seed &+ UInt64(number), min(steps, count - number * steps))
      if number % 100 == 99 {
        print("\(number + 1) runs, \((number + 1) * steps) operations")
        fflush(nil)
      }
    }
    print(line(runs, count, differences: 0, seed))
  }

  private func look(at seed: UInt64, _ steps: Int) throws {
    var generator = SoakGenerator(seed: seed)
    let operations = ListRun.operations(steps, using: &generator)
    guard let difference = try ListRun.run(operations) else { return }
    print(line(1, steps, differences: 1, seed))
    print("difference: \(difference)")
    // What is found must be seen while it is made shorter, which may take minutes.
    fflush(nil)
    if !tells {
      let short = try ListRun.shrunk(operations)
      print(short.map { "\($0.count) operations are enough: \($0)" } ?? "It does not fail again.")
      for line in try ListRun.story(of: short ?? operations) { print("  \(line)") }
    } else {
      print(try ListRun.story(of: operations).joined(separator: "\n"))
    }
    print("again: swift run -c release soak lists --count \(steps) --steps \(steps) --seed \(seed)")
    throw ExitCode(1)
  }

  private func line(_ runs: Int, _ count: Int, differences: Int, _ seed: UInt64) -> String {
    "lists: \(runs) runs, \(count) operations, \(differences) differences, seed \(seed)"
  }
}
