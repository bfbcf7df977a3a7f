import Cauldron
import Foundation
import TestSupport
import Testing

/// Statements do not grow with the records of a chunk.
@Suite(.againstHanging) struct StatementCountTests {
  private static let sizes = [100, 200]

  /// How many statements begin with a text while records are imported into a store that has others.
  private func counts<Entity: ManagedEntity>(
    _ type: Entity.Type, _ options: ImportOptions = ImportOptions(),
    before: (Int) -> [String], _ records: (Int) -> [String],
    also prepare: ((Depot, Int) async throws -> Void)? = nil
  ) async throws -> [Int] {
    var counts: [Int] = []
    for size in Self.sizes {
      let log = StatementLog()
      let depot = try Depot(inFile: true, log: log)
      try await prepare?(depot, size)
      try await depot.load(list(before(size)), as: type, options)
      log.clear()
      let report = try await depot.load(list(records(size)), as: type, options)
      #expect(report.created + report.updated == size && report.problemCount == 0, "\(report)")
      // A save looks for each row that is referred to and may have gone, which is not the import's.
      counts.append(log.count("SELECT") - log.count("SELECT 1 FROM"))
      try depot.stack.close()
    }
    return counts
  }

  private func expectNearlyEqual(_ counts: [Int]) {
    #expect(counts[1] <= counts[0] + 8, "\(counts) statements for \(Self.sizes) records")
  }

  @Test func newOwnersOfLinksFromManyToMany() async throws {
    let counts = try await counts(
      Watched.self, before: { _ in (1...3).map { #"{"id": \#($0)}"# } },
      { size in (0..<size).map { #"{"id": \#($0 + 10), "friends": [1, 2, 3]}"# } })
    expectNearlyEqual(counts)
  }

  @Test func newObjectsThatBeginWithWhatIsMadeAnew() async throws {
    let counts = try await counts(
      Pallet.self, before: { _ in [] },
      { size in (0..<size).map { #"{"id": \#($0), "whole": \#($0 + 1000)}"# } })
    expectNearlyEqual(counts)
  }

  @Test func `records that are found by several attributes, which are combined in all ways`()
    async throws
  {
    func seats(_ size: Int, _ guest: String) -> [String] {
      (0..<size).map { #"{"rank": "r\#($0)", "number": \#($0 * 7), "guest": "\#(guest)"}"# }
    }
    let counts = try await counts(Seat.self, before: { seats($0, "x") }, { seats($0, "y") })
    expectNearlyEqual(counts)
    let grid = try await self.counts(
      Seat.self, before: { _ in [] },
      { size in (0..<size).map { #"{"rank": "r\#($0 % 10)", "number": \#($0 / 10)}"# } })
    expectNearlyEqual(grid)
  }

  /// Nobody looks for what only records name that cannot be read.
  @Test func recordsThatCannotBeRead() async throws {
    let log = StatementLog()
    let depot = try Depot(inFile: true, log: log)
    try await depot.load(#"[{"code": "a"}]"#, as: Folder.self)
    log.clear()
    let records = (0..<20).map { #"{"code": "\#($0)", "name": "bad"}"# }
    #expect(try await depot.load(list(records), as: Folder.self).refused == 20)
    #expect(log.count("SELECT") == 0)
  }

  @Test func newOwnersWithoutHooksOfLinksFromManyToMany() async throws {
    let counts = try await counts(
      Land.self,
      before: { _ in [#"{"alpha_2": "x", "name": "x", "speaks": ["a", "b", "c"]}"#] },
      { size in
        (0..<size).map { #"{"alpha_2": "\#($0)", "name": "n", "speaks": ["a", "b", "c"]}"# }
      })
    expectNearlyEqual(counts)
  }

  @Test func newOwnersWhoseMembersAreReplaced() async throws {
    let counts = try await counts(
      Land.self, before: { _ in [] },
      { size in
        (0..<size).map {
          #"{"alpha_2": "\#($0)", "name": "n", "subdivisions": [{"code": "\#($0)a"}]}"#
        }
      })
    expectNearlyEqual(counts)
  }

  @Test func newOwnersWhoseMembersAreReplacedAndDeleted() async throws {
    let counts = try await counts(
      Writer.self, before: { _ in [] },
      { size in (0..<size).map { #"{"id": \#($0), "books": ["\#($0)a", "\#($0)b"]}"# } })
    expectNearlyEqual(counts)
  }

  @Test func newMembersOfOrderedRelationships() async throws {
    let counts = try await counts(
      SlipLine.self, before: { _ in [] },
      { size in (0..<size).map { #"{"id": \#($0), "slip": \#($0)}"# } },
      also: { depot, size in
        let slips = (0..<size).map { #"{"id": \#($0)}"# }
        try await depot.load(list(slips), as: Slip.self)
      })
    expectNearlyEqual(counts)
  }

  @Test func oneToOneLinksThatChange() async throws {
    func lands(_ size: Int, _ shift: Int) -> [String] {
      (0..<size).map {
        #"{"alpha_2": "\#($0)", "name": "n", "capital": {"name": "\#($0 + shift)", "mayor": "m"}}"#
      }
    }
    let new = try await counts(Land.self, before: { lands($0, 0) }, { lands($0, $0) })
    expectNearlyEqual(new)
    // Each has what another one had.
    let moved = try await counts(Land.self, before: { lands($0, 0) }, { lands($0, 1) })
    expectNearlyEqual(moved)
  }
}
