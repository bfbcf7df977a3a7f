import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Another program has the lock of the file while a part is imported, so that IDs are provisional at first.
@Suite(.serialized, .againstHanging) struct ProvisionalTests {
  private static let pad = String(repeating: "x", count: 60)

  /// Records of which the first chunk has a link that waits, and the second what is said of it later.
  private static func text(_ start: [String], _ end: [String]) -> String {
    let more = (0..<800).map {
      #"{"code": "p\#($0)", "count": \#($0 == 400 ? -1 : 1), "pad": "\#(pad)"}"#
    }
    return list(start + more + end)
  }

  private func tickets(
    _ start: [String], _ end: [String], isBusy: Bool
  ) async throws -> [String] {
    let depot = try Depot(inFile: true)
    let url = try #require(depot.directory).file("depot.sqlite")
    let other = OtherProgram(url)
    let wasBusy = Locked(false)
    Ticket.tellers.withLock { tellers in
      // One of the last records of the first chunk.
      tellers[-1] = {
        if isBusy, other.run("COMMIT") { wasBusy.withLock { $0 = true } }
      }
    }
    defer { Ticket.tellers.withLock { $0[-1] = nil } }
    let options = ImportOptions.relationship(
      "Ticket", "children", .init(members: .replaceAndDelete), commitEvery: 500)
    try await depot.load(Self.text(start, end), as: Ticket.self, options) { progress in
      if progress.records == 0, isBusy { other.run("BEGIN IMMEDIATE") }
    }
    #expect(wasBusy.withLock { $0 } == isBusy)
    return try await depot.read { context in
      try Ticket.findAll(in: context).filter { !$0.code.hasPrefix("p") }.map {
        "\($0.code)>\($0.parent?.code ?? "-")"
      }.sorted()
    }
  }

  @Test func `an export throws where what a relationship leads to cannot be read`() async throws {
    let depot = try Depot(inFile: true)
    let url = try #require(depot.directory).file("depot.sqlite")
    try await depot.load(
      #"[{"id": 1, "errands": [{"id": 2}, {"id": 3}]}]"#, as: Venture.self, ImportOptions()
    ) { _ in }
    #expect(OtherProgram(url).run("UPDATE ZERRAND SET ZID = 'many' WHERE ZID = 2"))
    let code = try await depot.read { context in
      let venture = try #require(try Venture.findFirst(in: context))
      do {
        return try venture.exportJSON(depth: 2)
      } catch let error as CauldronError { return error.code.rawValue }
    }
    #expect(code == CauldronError.Code.storeBadValue.rawValue)
  }

  @Test(arguments: [false, true]) func theLastWordCounts(isBusy: Bool) async throws {
    let found = try await tickets(
      [#"{"code": "a", "parent": "x"}"#],
      [#"{"code": "a", "parent": null}"#, #"{"code": "x"}"#], isBusy: isBusy)
    #expect(found == ["a>-", "x>-"])
  }

  @Test(arguments: [false, true]) func whatComesLateIsLinked(isBusy: Bool) async throws {
    let found = try await tickets(
      [#"{"code": "a", "parent": "x"}"#], [#"{"code": "x"}"#], isBusy: isBusy)
    #expect(found == ["a>x", "x>-"])
  }

  @Test(arguments: [false, true]) func whatHasARecordIsNotDeleted(isBusy: Bool) async throws {
    let found = try await tickets(
      [#"{"code": "a"}"#, #"{"code": "b", "parent": "a"}"#],
      [#"{"code": "a", "children": []}"#], isBusy: isBusy)
    #expect(found == ["a>-", "b>-"])
  }
}
