import Cauldron
import Foundation
import Testing

/// What is noted of attributes says where their values are.
@Suite struct AttributeNoteTests {
  /// What a plant's `height` is after records with nothing else were imported.
  private func heights(
    _ notes: [String: String], default value: AttributeDescription.Default = .none, _ json: String
  ) async throws -> [String] {
    let desk = try Desk(
      Editor.entity("Plant", Editor.attribute("height", .integer32, notes, default: value)))
    try await desk.load(json, as: "Plant")
    return try await desk.rows("Plant", "height")
  }

  @Test func `a mapped name stands for the property's own, which is not tried`() async throws {
    let json = #"[{"cm": 1, "height": 2}, {"height": 3}]"#
    #expect(try await heights(["mappedKeyName": "cm"], json) == ["-", "1"])
  }

  @Test func `a mapped name leads into objects`() async throws {
    let json = #"[{"size": {"up": {"cm": 1}}}, {"size": {"up": 2}}, {"size": 3}]"#
    #expect(try await heights(["mappedKeyName": "size.up.cm"], json) == ["-", "-", "1"])
  }

  @Test func `numbered names are tried in their order`() async throws {
    let notes = ["mappedKeyName": "a", "mappedKeyName.1": "b", "mappedKeyName.2": "c.d"]
    let json = #"[{"c": {"d": 3}}, {"c": {"d": 3}, "b": 2}, {"b": 2, "a": 1}, {"height": 9}]"#
    #expect(try await heights(notes, json) == ["-", "1", "2", "3"])
  }

  @Test func `null ends the search`() async throws {
    let notes = ["mappedKeyName": "a", "mappedKeyName.1": "b"]
    #expect(try await heights(notes, #"[{"a": null, "b": 2}]"#) == ["-"])
  }

  @Test func `numbers go from 1 to 9, up to the first that is missing`() async throws {
    var notes = ["mappedKeyName": "a", "mappedKeyName.0": "zero", "mappedKeyName.2": "two"]
    let json = #"[{"zero": 1}, {"two": 2}, {"ten": 10}, {"nine": 9}]"#
    #expect(try await heights(notes, json) == ["-", "-", "-", "-"])
    for number in 1...10 { notes["mappedKeyName.\(number)"] = "n\(number)" }
    #expect(try await heights(notes, #"[{"n9": 9}, {"n10": 10}]"#) == ["-", "9"])
  }

  @Test func `numbered names alone come behind the property's own`() async throws {
    let json = #"[{"height": 1, "cm": 2}, {"cm": 3}]"#
    #expect(try await heights(["mappedKeyName.1": "cm"], json) == ["1", "3"])
  }

  @Test func `the default is set where no name is there, if that is noted`() async throws {
    let notes = ["useDefaultValueWhenNotPresent": "YES"]
    let five = AttributeDescription.Default.constant(.integer(5))
    #expect(try await heights(notes, default: five, #"[{}, {"height": null}]"#) == ["-", "5"])
  }

  @Test(arguments: ["YES", "true", "1", "NO", "0"])
  func `the default replaces a value only where that is noted`(note: String) async throws {
    let desk = try Desk(
      Editor.entity(
        "Plant", Editor.attribute("plantID", .integer16),
        Editor.attribute(
          "height", .integer32, ["useDefaultValueWhenNotPresent": note],
          default: .constant(.integer(5))),
        Editor.attribute("name", .string, ["useDefaultValueWhenNotPresent": note])))
    try await desk.load(#"[{"plantID": 1, "height": 8, "name": "oak"}]"#, as: "Plant")
    try await desk.load(#"[{"plantID": 1}]"#, as: "Plant")
    let isSet = ["YES", "true", "1"].contains(note)
    #expect(try await desk.rows("Plant", "height", "name") == [isSet ? "5 -" : "8 oak"])
  }

  @Test func `what is excluded stays as it is`() async throws {
    let five = AttributeDescription.Default.constant(.integer(5))
    #expect(
      try await heights(["excludeFromImport": "YES"], default: five, #"[{"height": 8}]"#) == ["5"])
    #expect(
      try await heights(["excludeFromImport": "NO"], default: five, #"[{"height": 8}]"#) == ["8"])
  }

  @Test func `a class name that is noted changes nothing`() async throws {
    let notes = ["attributeValueClassName": "NSNumber"]
    #expect(try await heights(notes, #"[{"height": "8"}]"#) == ["8"])
  }

  @Test func `names that no property asks for are ignored`() async throws {
    #expect(try await heights([:], #"[{"height": 1, "depth": "x", "type": 3}]"#) == ["1"])
  }
}
