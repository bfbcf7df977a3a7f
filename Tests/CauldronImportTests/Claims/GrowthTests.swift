import Cauldron
import Foundation
import TestSupport
import Testing

/// The time of an import grows with its records, and no faster.
@Suite(.serialized, .againstHanging) struct GrowthTests {
  /// The shortest time that an import takes; the others have waited for other tests.
  private func time<Entity: ManagedEntity>(
    _ records: [String], as type: Entity.Type
  ) async throws -> Duration {
    let text = list(records)
    var shortest = Duration.seconds(1_000)
    for _ in 0..<2 {
      let depot = try Depot()
      let start = ContinuousClock.now
      let report = try await depot.load(text, as: type)
      shortest = min(shortest, start.duration(to: .now))
      #expect(report.created == records.count && report.problemCount == 0, "\(report)")
    }
    return shortest
  }

  @Test func recordsWhoseDestinationsAreCounted() async throws {
    func players(_ count: Int) -> [String] {
      (0..<count).map { #"{"id": \#($0), "team": \#($0 / 5)}"# }
    }
    let few = try await time(players(250), as: Player.self)
    let many = try await time(players(1_000), as: Player.self)
    #expect(many / few < 8, "\(few) and \(many) for four times as many")
  }

  @Test func recordsOfOneDestinationThatIsCounted() async throws {
    func players(_ count: Int) -> [String] { (0..<count).map { #"{"id": \#($0), "team": 1}"# } }
    let few = try await time(players(250), as: Player.self)
    let many = try await time(players(1_000), as: Player.self)
    #expect(many / few < 8, "\(few) and \(many) for four times as many")
  }

  @Test func membersThatComeLate() async throws {
    func leaves(_ count: Int) -> [String] {
      let children = (1...count).map(String.init).joined(separator: ", ")
      return [#"{"id": 0, "name": "r", "children": [\#(children)]}"#]
        + (1...count).map { #"{"id": \#($0), "name": "n"}"# }
    }
    let few = try await time(leaves(300), as: Leaf.self)
    let many = try await time(leaves(1_200), as: Leaf.self)
    #expect(many / few < 8, "\(few) and \(many) for four times as many")
  }
}
