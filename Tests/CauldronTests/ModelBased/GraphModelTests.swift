import Foundation
import GraphKit
import TestSupport
import Testing

/// Random operations on every kind of relationship show what plain dictionaries show.
@Suite(.againstHanging, .ownThread) struct GraphModelTests {
  /// How many operations each seed runs; a sanitizer looks at every access.
  private static let count =
    ProcessInfo.processInfo.environment["CAULDRON_MODEL_STEPS"].flatMap(Int.init) ?? 300

  private static let seeds = (1...(count < 300 ? 5 : 20)).map { UInt64($0) }

  @Test(arguments: seeds)
  func `random operations show what dictionaries show`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let operations = GraphRun.operations(Self.count, using: &generator)
    let contexts = Int(seed % 4) + 1
    guard let difference = try GraphRun.run(operations, contexts: contexts) else { return }
    let short = try GraphRun.shrunk(operations, contexts: contexts)
    Issue.record("seed \(seed): \(difference); in \(contexts) contexts \(short) fails, too")
  }
}
