import Cauldron
import Foundation
import TestSupport
import Testing

/// An import that takes out members which no record lists must know them all.
@Suite(.againstHanging) struct UnreadableMemberTests {
  /// A depot of which one row has a text where a number belongs.
  private func damaged<Entity: ManagedEntity>(
    _ json: String, as type: Entity.Type, _ damage: String
  ) async throws -> Depot {
    let depot = try Depot(inFile: true)
    let url = try #require(depot.directory).file("depot.sqlite")
    try await depot.load(json, as: type)
    #expect(OtherProgram(url).run(damage))
    return depot
  }

  private func ventures() async throws -> Depot {
    try await damaged(
      #"[{"id": 1, "errands": [{"id": 2}, {"id": 3}]}, {"id": 4, "errands": [{"id": 5}]}]"#,
      as: Venture.self, "UPDATE ZERRAND SET ZID = 'many' WHERE ZID = 2")
  }

  /// Mends what is damaged, so that it can be read what has become of it.
  private func errands(_ depot: Depot) async throws -> [String] {
    let url = try #require(depot.directory).file("depot.sqlite")
    #expect(OtherProgram(url).run("UPDATE ZERRAND SET ZID = 2 WHERE ZID = 'many'"))
    return try await depot.all(Errand.self) { "\($0.id) \($0.venture?.id ?? 0)" }
  }

  @Test(arguments: [ImportMembers.replace, .replaceAndDelete])
  func `members that cannot be read end the import that replaces them`(members: ImportMembers)
    async throws
  {
    let depot = try await ventures()
    let options = ImportOptions.relationship("Venture", "errands", .init(members: members))
    for json in [
      #"[{"id": 1, "errands": [{"id": 3}]}]"#, #"[{"id": 4}, {"id": 1, "errands": null}]"#,
      #"[{"id": 4, "errands": [6]}, {"id": 1, "errands": []}]"#,
    ] {
      let error = try await depot.failure(json, as: Venture.self, options)
      #expect(error?.code == .storeBadValue, "\(json) \(String(describing: error))")
    }
    #expect(
      try await depot.load(#"[{"id": 4, "errands": [5]}]"#, as: Venture.self, options).unchanged
        == 1)
    #expect(try await errands(depot) == ["2 1", "3 1", "5 4"])
  }

  @Test func `members that stay need not be read`() async throws {
    let depot = try await ventures()
    let options = ImportOptions.relationship("Venture", "errands", .init(members: .merge))
    let report = try await depot.load(
      #"[{"id": 1, "errands": [{"id": 5}]}]"#, as: Venture.self, options)
    #expect(report.updated == 1 && report.problemCount == 0, "\(report)")
    #expect(try await errands(depot) == ["2 1", "3 1", "5 1"])
  }

  @Test func `a place in an order that cannot be read ends the import, too`() async throws {
    let depot = try await damaged(
      #"[{"id": 1, "name": "a", "children": [{"id": 2, "name": "b"}, {"id": 3, "name": "c"}]}]"#,
      as: Leaf.self, "UPDATE ZLEAF SET ZID = 'many' WHERE ZID = 3")
    let error = try await depot.failure(
      #"[{"id": 1, "children": [{"id": 4, "name": "d"}, 2]}]"#, as: Leaf.self, ImportOptions())
    #expect(error?.code == .storeBadValue, "\(String(describing: error))")
  }

  @Test func `what cannot be read leaves the context as it was`() async throws {
    let depot = try await ventures()
    let code = try await depot.read { context in
      do {
        try Venture.importFrom([["id": 7], ["id": 1, "errands": [3]]], in: context)
      } catch let error as CauldronError {
        return context.hasChanges ? "changed" : error.code.rawValue
      }
      return "imported"
    }
    #expect(code == CauldronError.Code.storeBadValue.rawValue)
    #expect(try await errands(depot) == ["2 1", "3 1", "5 4"])
  }
}
