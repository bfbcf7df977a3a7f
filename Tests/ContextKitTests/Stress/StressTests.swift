import CauldronModel
import Foundation
import Testing

/// `CAULDRON_STRESS_SECONDS` sets how long the longest run lasts, instead of 20 seconds: 3,600 for
/// an hour.
@Suite(.timeLimit(.minutes(130)), .serialized) struct StressTests {
  private static let seconds: Double = {
    let text = ProcessInfo.processInfo.environment["CAULDRON_STRESS_SECONDS"]
    return text.flatMap(Double.init) ?? 20
  }()

  @Test(arguments: [(Kit.Place.memory, true), (.file, true), (.file, false)])
  func `money is kept and what was acknowledged is stored, whatever the order`(
    _ way: (place: Kit.Place, hasSiblings: Bool)
  ) async throws {
    let run = try StressRun(way.place, hasSiblings: way.hasSiblings)
    // The other tests go on meanwhile, so that only the hardest way gets the whole time.
    let seconds = way == (.file, true) ? Self.seconds : Self.seconds / 4
    try await finishes(within: seconds + 120) {
      try run.run(seconds: seconds, seed: UInt64.random(in: 0..<1_000_000))
    }
    #expect(run.problems.withLock { $0 } == [])
    #expect(run.saves.value > 0)
    #expect(run.refusals.value > 0, "threads that never meet would prove nothing")
  }
}
