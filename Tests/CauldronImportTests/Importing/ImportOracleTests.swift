import ImportKit
import TestSupport
import Testing

/// Random imports into random models, compared with an importer of dictionaries; `soak import` runs as many
/// as one likes.
@Suite(.againstHanging) struct ImportOracleTests {
  /// Sanitizers look at every access, so that a fifth tells as much.
  private static let duration = Duration.seconds(slack >= 5 ? 2 : 10)

  @Test func `an import does what one record after the other says`() async throws {
    let end = ContinuousClock.now + Self.duration
    // The same ones for each change, so that a difference is the change's; `soak import` begins anywhere.
    var seed: UInt64 = 20_261_125
    repeat {
      if let difference = try await ImportTrial(seed: seed).difference() {
        Issue.record("soak import --count 1 --seed \(seed): \(difference)")
        return
      }
      seed += 1
    } while ContinuousClock.now < end
  }
}
