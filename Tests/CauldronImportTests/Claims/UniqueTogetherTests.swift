import Cauldron
import Foundation
import Testing

/// Values that are unique together with others, or that code of the class sets.
@Suite struct UniqueTogetherTests {
  private func labels(_ depot: Depot) async throws -> [String] {
    try await depot.all(Sticker.self) { "\($0.name) \($0.kind ?? "-") \($0.order ?? 0)" }
  }

  @Test func twoRecordsWithTheSameValuesAreNotJoined() async throws {
    let depot = try Depot()
    let report = try await depot.load(
      #"[{"name": "a", "kind": "k", "order": 1}, {"name": "b", "kind": "k", "order": 1}]"#,
      as: Sticker.self)
    #expect(report.created == 1 && report.refused == 1, "\(report)")
    #expect(report.problems.map(\.code) == [.saveConstraint])
    #expect(try await labels(depot) == ["a k 1"])
  }

  @Test func whatIsStoredIsNotRenamed() async throws {
    let depot = try Depot()
    try await depot.load(#"[{"name": "a", "kind": "k", "order": 1}]"#, as: Sticker.self)
    let report = try await depot.load(
      #"[{"name": "b", "kind": "k", "order": 1}]"#, as: Sticker.self)
    #expect(report.created == 0 && report.refused == 1, "\(report)")
    #expect(report.problems.map(\.code) == [.saveConstraint])
    #expect(try await labels(depot) == ["a k 1"])
  }

  @Test func aStoredObjectDoesNotTakeTheValuesOfAnother() async throws {
    let depot = try Depot()
    try await depot.load(
      #"[{"name": "a", "kind": "k", "order": 1}, {"name": "b", "kind": "k", "order": 2}]"#,
      as: Sticker.self)
    let report = try await depot.load(#"[{"name": "b", "order": 1}]"#, as: Sticker.self)
    #expect(report.problems.map(\.code) == [.saveConstraint])
    #expect(try await labels(depot) == ["a k 1", "b k 2"])
  }

  @Test func valuesThatOneGivesAwayAreFree() async throws {
    let depot = try Depot()
    try await depot.load(#"[{"name": "a", "kind": "k", "order": 1}]"#, as: Sticker.self)
    let report = try await depot.load(
      #"[{"name": "a", "order": 2}, {"name": "b", "kind": "k", "order": 1}]"#, as: Sticker.self)
    #expect(report.created == 1 && report.updated == 1, "\(report)")
    #expect(try await labels(depot) == ["a k 2", "b k 1"])
  }

  @Test(arguments: [1, 500])
  func `records that complete each other do not take the values of another object`(
    commitEvery: Int
  ) async throws {
    let depot = try Depot()
    try await depot.load(#"[{"name": "a", "kind": "k", "order": 1}]"#, as: Sticker.self)
    let report = try await depot.load(
      """
      [{"name": "b", "kind": "k"}, {"name": "b", "order": 1}, {"name": "b", "order": 2},
       {"name": "c", "kind": "k"}, {"name": "c", "kind": "l"}, {"name": "c", "order": 1}]
      """, as: Sticker.self, ImportOptions(commitEvery: commitEvery))
    #expect(
      report.problems.map(\.description) == [
        #"/1: Sticker.kind, order must be unique together, and another has "k", 1"#
      ])
    #expect(try await labels(depot) == ["a k 1", "b k 2", "c l 1"])
  }

  @Test func whatItsOwnFunctionSetsIsNotJoined() async throws {
    let depot = try Depot()
    try await depot.load(#"[{"name": "a", "slug": 1}]"#, as: Post.self)
    let report = try await depot.load(
      #"[{"name": "b", "slug": 1}, {"name": "c", "slug": 2}, {"name": "d", "slug": 2}]"#,
      as: Post.self)
    #expect(report.created == 1 && report.refused == 2, "\(report)")
    #expect(report.problems.map(\.code) == [.saveConstraint, .saveConstraint])
    #expect(try await depot.all(Post.self) { "\($0.name) \($0.slug ?? 0)" } == ["a 1", "c 2"])
  }

  @Test func recordsWithoutKeyAreNotJoined() async throws {
    let depot = try Depot()
    let options = ImportOptions(mappings: ["Seat": ImportMapping(alwaysInserts: true)])
    try await depot.load(#"[{"rank": "a", "number": 1, "guest": "x"}]"#, as: Seat.self, options)
    let report = try await depot.load(
      """
      [{"rank": "a", "number": 1, "guest": "y"}, {"rank": "b", "number": 1, "guest": "x"},
       {"rank": "b", "number": 1, "guest": "y"}]
      """, as: Seat.self, options)
    #expect(report.created == 1 && report.refused == 2, "\(report)")
    #expect(report.problems.map(\.code) == [.saveConstraint, .saveConstraint])
    let seats = try await depot.all(Seat.self) { "\($0.rank)\($0.number) \($0.guest ?? "-")" }
    #expect(seats == ["a1 x", "b1 x"])
  }
}
