import ArgumentParser
import FormatKit
import Foundation

/// Does what the tests do with random format strings, for much longer.
struct Parse: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Reads random format strings: changed good ones, words without a plan, and bytes.",
    discussion: """
      Each becomes a tree that prints and parses back, or an error in one line with a position within \
      the text. Nothing else may happen.
      """)

  @Option(help: "How many texts are read.")
  var count = 1_000_000

  @Option(help: "Decides the texts; random by default.")
  var seed: UInt64?

  func validate() throws {
    if count < 1 { throw ValidationError("There is nothing to do.") }
  }

  func run() throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
    FormatCheck.openStore()
    let samples = FormatSamples.good.formats + FormatSamples.bad.formats
    var fuzz = FormatFuzz(seed: seed, samples: samples)
    var trees = 0
    var findings = 0
    for number in 1...count {
      let format = fuzz.next()
      let (finding, isTree) = FormatCheck.finding(
        format, fuzz.arguments(for: format), FormatFuzz.variables)
      if isTree { trees += 1 }
      if let finding {
        findings += 1
        print("finding in text \(number): \(format.debugDescription): \(finding)")
        fflush(nil)
        if findings == 20 { break }
      }
      if number.isMultiple(of: 1_000_000) {
        print("\(number) texts, \(trees) trees")
        fflush(nil)
      }
    }
    print("parse: \(count) texts, \(trees) trees, \(findings) findings, seed \(seed)")
    if findings > 0 {
      print("again: swift run -c release soak parse --count \(count) --seed \(seed)")
      throw ExitCode(1)
    }
  }
}
