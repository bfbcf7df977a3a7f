import Foundation
import ListKit
import TestSupport
import Testing

/// Lists in all contexts of a chain show what a fetch returns, and tell how to get there, whatever happens.
@Suite(.againstHanging, .ownThread) struct RandomListTests {
  /// A sanitizer looks at every access.
  private static let isShort =
    ProcessInfo.processInfo.environment["CAULDRON_MODEL_STEPS"] != nil
  private static let seeds = (1...(isShort ? 10 : 40)).map { UInt64($0) }

  @Test(arguments: seeds)
  func `lists show what a fetch returns`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let operations = ListRun.operations(Self.isShort ? 100 : 250, using: &generator)
    guard let difference = try ListRun.run(operations) else { return }
    let short = try ListRun.shrunk(operations)
    Issue.record("seed \(seed): \(difference); \(short) fails, too")
  }
}
