import ArgumentParser
import Foundation
import QueryKit

/// Does what the tests do with random queries, for much longer.
struct Queries: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Asks random queries of SQL, of memory and of a plain evaluation, and compares them.",
    discussion: """
      Each run has a random model, a store of its own and 100 queries, and the number after the seed of \
      the one before. The answers of three contexts with unsaved changes, of the committed rows in SQL \
      and in memory, and of a third evaluation must be the same. Where they are not, the query is made \
      smaller as long as they differ.
      """)

  @Option(help: "How many queries are tried.")
  var count = 10_000

  @Option(help: "Decides what is asked; random by default.")
  var seed: UInt64?

  @Flag(help: "Tells all that is done to the objects of the first run.")
  var tells = false

  func validate() throws {
    if count < 1 { throw ValidationError("There is nothing to do.") }
  }

  func run() throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
    let runs = (count + QueryRun.questionCount - 1) / QueryRun.questionCount
    for number in 0..<runs {
      let own = seed &+ UInt64(number)
      let isTold = tells && number == 0
      if let difference = try QueryRun.run(own, { if isTold { print($0) } }) {
        print(line(number + 1, differences: 1, own))
        print("difference: \(difference)")
        print("again: swift run -c release soak queries --count 1 --seed \(own)")
        throw ExitCode(1)
      }
      if number % 100 == 99 {
        print("\(number + 1) runs, \((number + 1) * QueryRun.questionCount) queries")
        fflush(nil)
      }
    }
    print(line(runs, differences: 0, seed))
  }

  private func line(_ runs: Int, differences: Int, _ seed: UInt64) -> String {
    "queries: \(runs) runs, \(runs * QueryRun.questionCount) queries, \(differences) differences,"
      + " seed \(seed)"
  }
}
