import ArgumentParser
import Foundation
import ImportKit

/// Does what the tests do with random imports, for much longer.
struct Imports: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Imports random records with random plans, and compares with an importer of dictionaries.",
    discussion: """
      Each run has a random model, a store of its own and 6 imports one after the other, and the number \
      after the seed of the one before. Objects, links, orders and reports must be those of an importer \
      that takes one record after the other, however many the library takes together. Where they are \
      not, records are left out as long as the rest differs, too.
      """)

  @Option(help: "How many imports are tried.")
  var count = 10_000

  @Option(help: "Decides what is imported; random by default.")
  var seed: UInt64?

  func validate() throws {
    if count < 1 { throw ValidationError("There is nothing to do.") }
  }

  func run() async throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
    let runs = (count + ImportTrial.importCount - 1) / ImportTrial.importCount
    for number in 0..<runs {
      let own = seed &+ UInt64(number)
      let trial = ImportTrial(seed: own)
      if let difference = try await trial.difference() {
        print(line(number + 1, differences: 1, own))
        print("difference: \(difference)")
        // What is found must be seen while it is made shorter.
        fflush(nil)
        let short = try await trial.shrunk()
        print("shorter: \(try await short.difference() ?? "-")")
        print(short)
        print("again: swift run -c release soak import --count 1 --seed \(own)")
        throw ExitCode(1)
      }
      if number % 1_000 == 999 {
        print("\(number + 1) runs, \((number + 1) * ImportTrial.importCount) imports")
        fflush(nil)
      }
    }
    print(line(runs, differences: 0, seed))
  }

  private func line(_ runs: Int, differences: Int, _ seed: UInt64) -> String {
    "import: \(runs) runs, \(runs * ImportTrial.importCount) imports, seed \(seed),"
      + " \(differences) differences"
  }
}
