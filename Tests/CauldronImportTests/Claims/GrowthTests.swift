import Cauldron
import Foundation
import TestSupport
import Testing

/// The time of an import grows with its records, and no faster.
@Suite(
  .serialized, .againstHanging,
  .enabled(if: !Sanitizer.isOn, "a sanitizer says nothing about time")) struct GrowthTests
{
  /// The shortest time that an import takes; the others have waited for other tests.
  private func time<Entity: ManagedEntity>(
    _ records: [String], as type: Entity.Type, times: Int
  ) async throws -> Duration {
    let text = list(records)
    var shortest = Duration.seconds(1_000)
    for _ in 0..<times {
      let depot = try Depot()
      let start = ContinuousClock.now
      let report = try await depot.load(text, as: type)
      shortest = min(shortest, start.duration(to: .now))
      #expect(report.created == records.count && report.problemCount == 0, "\(report)")
    }
    return shortest
  }

  /// So many times as many records take so many times as long, and surely not the square of that.
  ///
  /// Tests beside it can only make it seem worse, for a while: it is tried again before it counts.
  private func expectLinear<Entity: ManagedEntity>(
    _ type: Entity.Type, factor: Int = 8, _ records: (Int) -> [String]
  ) async throws {
    var times = ""
    for _ in 0..<6 {
      let few = try await time(records(250), as: type, times: 5)
      let many = try await time(records(250 * factor), as: type, times: 2)
      if many / few < Double(factor) * 2 { return }
      times += "; \(few) and \(many)"
    }
    Issue.record("Not linear for \(factor) times as many\(times).")
  }

  @Test func recordsWhoseDestinationsAreCounted() async throws {
    try await expectLinear(Player.self) { count in
      (0..<count).map { #"{"id": \#($0), "team": \#($0 / 5)}"# }
    }
  }

  @Test func recordsOfOneDestinationThatIsCounted() async throws {
    try await expectLinear(Player.self, factor: 16) { count in
      (0..<count).map { #"{"id": \#($0), "team": 1}"# }
    }
  }

  @Test func membersThatComeLate() async throws {
    try await expectLinear(Leaf.self) { count in
      let children = (1..<count).map(String.init).joined(separator: ", ")
      return [#"{"id": 0, "name": "r", "children": [\#(children)]}"#]
        + (1..<count).map { #"{"id": \#($0), "name": "n"}"# }
    }
  }
}
