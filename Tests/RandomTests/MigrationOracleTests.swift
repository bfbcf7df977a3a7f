import MigrationKit
import TestSupport
import Testing

/// Random changes of random models leave what the same changes leave of dictionaries.
@Suite(.againstHanging, .ownThread) struct MigrationOracleTests {
  private static let seeds = (1...(slack < 5 ? 60 : 6)).map { UInt64($0) }

  @Test(arguments: seeds)
  func `a migrated store has what dictionaries have`(_ seed: UInt64) throws {
    let directory = try TemporaryDirectory()
    var run = LineageRun(
      in: directory.url, using: SeededGenerator(seed: seed), keepsNames: seed.isMultiple(of: 2))
    let difference = try run.run()
    #expect(difference == nil, "seed \(seed)")
  }
}
