import Cauldron
import Foundation
import Testing

/// The others of MagicalRecord's own examples: objects that are there, and records that lead to them.
@Suite struct RelatedRecordTests {
  /// Parts with two keys, and machines that lead to them in several ways.
  private func desk() throws -> Desk {
    try Desk(
      Editor.entity(
        "Part", Editor.attribute("partID", .integer16, default: .constant(.integer(0))),
        Editor.attribute("text"),
        Editor.attribute("inner", .string, ["mappedKeyName": "outer.inner"]),
        Editor.attribute("serial", .integer64, ["mappedKeyName": "id"]),
        Editor.back("plain", "Plain", "part"), Editor.back("mapped", "Mapped", "part"),
        Editor.back("boxes", "Box", "parts")),
      Editor.entity("Plain", Editor.one("part", "Part", "plain")),
      Editor.entity(
        "Mapped",
        Editor.one(
          "part", "Part", "mapped", ["mappedKeyName": "thing", "relatedByAttribute": "serial"])),
      Editor.entity(
        "Box", noted: ["relatedByAttribute": "number"], Editor.attribute("number", .integer16),
        Editor.many("parts", "Part", "boxes", ["relatedByAttribute": "serial"])))
  }

  @Test func `an object is found by the usual key, changed and linked`() async throws {
    let desk = try desk()
    try await desk.add(#"[{"partID": 42}]"#, as: "Part")
    try await desk.load(#"[{"part": {"partID": 42, "text": "from the file"}}]"#, as: "Plain")
    #expect(try await desk.rows("Part", "partID", "text") == ["42 from the file"])
    #expect(try await desk.rows("Plain", "part.partID") == ["42"])
  }

  @Test func `an object is found by a key with another name, behind one with another name`()
    async throws
  {
    let desk = try desk()
    try await desk.add(#"[{"id": 42}]"#, as: "Part")
    try await desk.load(#"[{"thing": {"id": 42, "text": "from the file"}}]"#, as: "Mapped")
    #expect(try await desk.rows("Part", "serial", "text") == ["42 from the file"])
    #expect(try await desk.rows("Mapped", "part.serial") == ["42"])
  }

  @Test func `a name leads into an object that is nested itself`() async throws {
    let desk = try desk()
    try await desk.load(
      #"[{"part": {"partID": 42, "outer": {"inner": "nested value"}}}]"#, as: "Plain")
    #expect(try await desk.rows("Plain", "part.partID", "part.inner") == ["42 nested value"])
  }

  @Test func `members stay where a record says nothing of them, and go with null`() async throws {
    let desk = try desk()
    try await desk.load(#"[{"number": 1, "parts": [1, 2, 3, 4]}]"#, as: "Box")
    #expect(try await desk.rows("Box", "parts.serial") == ["[1 2 3 4]"])
    try await desk.load(#"[{"number": 1}]"#, as: "Box")
    #expect(try await desk.rows("Box", "parts.serial") == ["[1 2 3 4]"])
    try await desk.load(#"[{"number": 1, "parts": null}]"#, as: "Box")
    #expect(try await desk.rows("Box", "parts.serial") == ["[]"])
    #expect(try await desk.rows("Part").count == 4)
  }

  @Test func `keys in a list lead to objects that are there, and add to the members`()
    async throws
  {
    let desk = try desk()
    let parts = (0..<10).map { #"{"id": \#($0), "text": "a part"}"# }.joined(separator: ", ")
    try await desk.add("[\(parts)]", as: "Part")
    try await desk.load(#"[{"number": 84, "parts": [9]}]"#, as: "Box")
    let report = try await desk.load(#"[{"parts": [1, 2, 3, 4], "number": 84}]"#, as: "Box")
    #expect(report.description == "1 box: 1 updated")
    #expect(try await desk.rows("Part").count == 10)
    #expect(try await desk.rows("Box", "parts.serial") == ["[1 2 3 4 9]"])
    #expect(
      try await desk.rows("Box", "parts.text") == ["[a part a part a part a part a part]"])
  }
}
