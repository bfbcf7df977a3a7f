import ArgumentParser
import Foundation
import GraphKit

/// Does what the tests do with random operations, for much longer.
struct Model: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs random operations on contexts and on dictionaries, and compares them.",
    discussion: """
      Each run has a store of its own, and the number after the seed of the one before. After each \
      operation every context must show what the dictionaries show, and in the end the file. Where \
      it does not, the operations are left out one after the other as long as the rest differs, too.
      """)

  @Option(help: "How many operations are tried.")
  var count = 100_000

  @Option(help: "How many of them each run has.")
  var steps = 300

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
      let steps = min(steps, count - number * steps)
      try look(at: seed &+ UInt64(number), steps)
      if number % 100 == 99 {
        print("\(number + 1) runs, \((number + 1) * self.steps) operations")
        fflush(nil)
      }
    }
    print(line(runs, count, differences: 0, seed))
  }

  private func look(at seed: UInt64, _ steps: Int) throws {
    var generator = SoakGenerator(seed: seed)
    let operations = GraphRun.operations(steps, using: &generator)
    let contexts = Int(seed % 4) + 1
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

  private func line(_ runs: Int, _ count: Int, differences: Int, _ seed: UInt64) -> String {
    "model: \(runs) runs, \(count) operations, \(differences) differences, seed \(seed)"
  }
}
