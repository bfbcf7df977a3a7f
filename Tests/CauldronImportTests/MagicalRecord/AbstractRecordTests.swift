import Cauldron
import Foundation
import Testing

/// Relationships to an abstract entity, of which an import has to be told what it creates.
@Suite struct AbstractRecordTests {
  private func desk(_ importing: RelationshipImport) throws -> Desk {
    try Desk(
      Editor.entity(
        "Fastener", isAbstract: true, Editor.attribute("code"),
        Editor.back("firsts", "Frame", "first"), Editor.back("frames", "Frame", "all")),
      Editor.entity("Nail", above: "Fastener", Editor.attribute("length", .integer16)),
      Editor.entity(
        "Bolt", above: "Fastener", Editor.attribute("thread"),
        Editor.back("tops", "Frame", "top"), Editor.back("others", "Frame", "bolts")),
      Editor.entity(
        "Frame", Editor.one("first", "Fastener", "firsts", [:], importing),
        Editor.many("all", "Fastener", "frames", [:], importing),
        Editor.one("top", "Bolt", "tops", ["relatedByAttribute": "thread"]),
        Editor.many("bolts", "Bolt", "others", ["relatedByAttribute": "thread"])))
  }

  @Test func `objects are of the subentity that is named`() async throws {
    let desk = try desk(RelationshipImport(match: "code", subentity: "Nail"))
    try await desk.load(
      """
      [{"first": {"code": "base 1", "thread": "no"}, "all": [{"code": "base 2"}, {"code": "base 3"}],
        "top": {"thread": "deep 1", "code": "base 4"},
        "bolts": [{"thread": "deep 2"}, {"thread": "deep 3"}, {"thread": "deep 4"}]}]
      """, as: "Frame")
    #expect(
      try await desk.rows("Frame", "first", "first.code", "all", "all.code") == [
        "Nail base 1 [Nail Nail] [base 2 base 3]"
      ])
    #expect(
      try await desk.rows("Frame", "top.thread", "top.code", "bolts.thread") == [
        "deep 1 base 4 [deep 2 deep 3 deep 4]"
      ])
  }

  @Test func `an object of another subentity is found, where the key is one for all`()
    async throws
  {
    let desk = try desk(RelationshipImport(match: "code", subentity: "Nail"))
    try await desk.add(#"[{"code": "a", "thread": "x"}]"#, as: "Bolt")
    try await desk.load(#"[{"first": "a"}]"#, as: "Frame")
    #expect(try await desk.rows("Frame", "first", "first.code") == ["Bolt a"])
    #expect(try await desk.rows("Fastener", "code") == ["a"])
  }

  @Test func `nothing is made of an abstract entity`() async throws {
    let desk = try desk(RelationshipImport(match: "code"))
    let error = await sentence { try await desk.load("[]", as: "Frame") }
    #expect(
      error?.contains("Frame.first leads to the abstract Fastener; name a subentity") == true)
  }
}
