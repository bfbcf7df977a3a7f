import QueryKit
import TestSupport
import Testing

/// Random queries of random models, in SQL, in memory, over unsaved changes and by a third evaluation;
/// `soak queries` runs as many as one likes.
@Suite(.againstHanging) struct RandomQueryTests {
  /// Sanitizers look at every access, so that a fifth tells as much.
  private static let duration = Duration.seconds(slack >= 5 ? 4 : 20)

  @Test func `any query of any model has one answer`() async throws {
    let end = ContinuousClock.now + Self.duration
    var seed = UInt64.random(in: 1...UInt64(UInt32.max))
    repeat {
      if let difference = try QueryRun.run(seed) {
        Issue.record("soak queries --count 1 --seed \(seed): \(difference)")
        return
      }
      seed += 1
      await Task.yield()
    } while ContinuousClock.now < end
  }
}
