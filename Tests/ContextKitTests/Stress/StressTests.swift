import CauldronModel
import Foundation
import Testing

/// `CAULDRON_STRESS_SECONDS` sets how long each run lasts: 20 for the full run, 3,600 for an hour.
@Suite(.timeLimit(.minutes(130)), .serialized) struct StressTests {
  private static let seconds: Double = {
    let text = ProcessInfo.processInfo.environment["CAULDRON_STRESS_SECONDS"]
    return text.flatMap(Double.init) ?? 5
  }()

  @Test(arguments: Kit.Place.allCases)
  func `money is kept and what was acknowledged is stored, whatever the order`(
    _ place: Kit.Place
  ) async throws {
    let run = try StressRun(place)
    try await finishes(within: Self.seconds + 30) {
      try run.run(seconds: Self.seconds, seed: UInt64.random(in: 0..<1_000_000))
    }
    #expect(run.problems.withLock { $0 }.isEmpty)
    #expect(run.saves.value > 0)
    // Threads that never meet would prove nothing.
    #expect(run.refusals.value > 0)
  }
}
