import CauldronModel
import Foundation
import Testing

/// `CAULDRON_STRESS_SECONDS` sets how long each run lasts: 20 for the full run, 3,600 for an hour.
@Suite(.timeLimit(.minutes(130)), .serialized) struct StressTests {
  private static let seconds: Double = {
    let text = ProcessInfo.processInfo.environment["CAULDRON_STRESS_SECONDS"]
    return text.flatMap(Double.init) ?? 5
  }()

  @Test(arguments: [(Kit.Place.memory, true), (.file, true), (.file, false)])
  func `money is kept and what was acknowledged is stored, whatever the order`(
    _ way: (place: Kit.Place, hasSiblings: Bool)
  ) async throws {
    let run = try StressRun(way.place, hasSiblings: way.hasSiblings)
    try await finishes(within: Self.seconds + 30) {
      try run.run(seconds: Self.seconds, seed: UInt64.random(in: 0..<1_000_000))
    }
    #expect(run.problems.withLock { $0 }.isEmpty)
    #expect(run.saves.value > 0)
    // Threads that never meet would prove nothing.
    #expect(run.refusals.value > 0)
  }
}
