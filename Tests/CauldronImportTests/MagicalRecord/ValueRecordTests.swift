import Cauldron
import Foundation
import Testing

/// The first of MagicalRecord's own examples: one object with a value of each kind.
@Suite struct ValueRecordTests {
  private static let entity = Editor.entity(
    "Sample", Editor.attribute("word"), Editor.attribute("small", .integer16),
    Editor.attribute("middle", .integer32), Editor.attribute("large", .integer64),
    Editor.attribute("exact", .decimal), Editor.attribute("real", .double),
    Editor.attribute("short", .float), Editor.attribute("flag", .boolean),
    Editor.attribute("spokenFlag", .boolean),
    Editor.attribute("renamed", .string, ["mappedKeyName": "another_name"]),
    Editor.attribute("emptied", .integer64, default: .constant(.integer(100))),
    Editor.attribute("digits"),
    Editor.attribute("kept", .string, default: .constant(.text("from the model"))),
    Editor.attribute("tone", .string, ["attributeValueClassName": "UIColor"]),
    Editor.attribute("day", .date), Editor.attribute("seconds", .date),
    Editor.attribute("written", .date, ["dateFormat": "M/d/yyyy H-mm-ss"]),
    Editor.attribute("precise", .date, ["dateFormat": "UnixTime"]))

  private static let json = """
    [{"word": "A word", "small": 256, "middle": 32, "large": 10158365420975381, "exact": 1.2,
      "real": 124.3, "short": 1e10, "flag": false, "spokenFlag": "true", "another_name": "mapped",
      "emptied": null, "digits": 10248909829, "tone": "rgba(64,128,225,1)",
      "day": "2011-07-23T22:30:40Z", "seconds": 1388349428, "written": "8/5/2011 1-56-04",
      "precise": 1388349427543, "smallInText": "256", "largeInText": "10158365420975381"}]
    """

  @Test(
    arguments: [
      ("word", "A word"), ("small", "256"), ("middle", "32"), ("large", "10158365420975381"),
      ("exact", "1.2"), ("real", "124.3"), ("short", "1e+10"), ("flag", "false"),
      ("spokenFlag", "true"), ("renamed", "mapped"), ("emptied", "-"), ("digits", "10248909829"),
      ("kept", "from the model"), ("tone", "rgba(64,128,225,1)"), ("day", "1311460240.0"),
      ("seconds", "1388349428.0"), ("written", "1312509364.0"), ("precise", "1388349427.543"),
    ])
  func `each value is what its attribute keeps`(name: String, value: String) async throws {
    let desk = try Desk(Self.entity)
    let report = try await desk.load(Self.json, as: "Sample")
    #expect(report.description == "1 sample: 1 created")
    #expect(try await desk.rows("Sample", name) == [value])
  }

  @Test func `four equal records of an entity without key are four objects`() async throws {
    let desk = try Desk(Self.entity)
    let record = #"{"word": "A word", "small": 1}"#
    let list = Array(repeating: record, count: 4).joined(separator: ", ")
    #expect(try await desk.load("[\(list)]", as: "Sample").created == 4)
    #expect(try await desk.rows("Sample", "word").count == 4)
  }

  @Test func `a name that comes third is found`() async throws {
    let desk = try Desk(
      Editor.entity(
        "Pin", Editor.attribute("code"), Editor.back("boards", "Board", "pin")),
      Editor.entity(
        "Board",
        Editor.attribute(
          "title", .string,
          ["mappedKeyName": "unused", "mappedKeyName.1": "nearer", "mappedKeyName.2": "real"]),
        Editor.attribute("stays", .boolean, default: .constant(.integer(1))),
        Editor.one(
          "pin", "Pin", "boards",
          [
            "mappedKeyName": "unused", "mappedKeyName.1": "nearer_pin",
            "mappedKeyName.2": "real_pin",
          ])))
    try await desk.load(#"[{"real": "found", "real_pin": {"code": "x"}}]"#, as: "Board")
    #expect(try await desk.rows("Board", "title", "stays", "pin.code") == ["found true x"])
  }
}
