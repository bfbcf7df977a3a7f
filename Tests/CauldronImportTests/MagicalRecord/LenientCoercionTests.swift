import Cauldron
import Foundation
import Testing

/// What values become that are not quite what their attributes keep.
@Suite struct LenientCoercionTests {
  /// What a value becomes, or why the record is refused.
  private func made(_ value: String, _ type: AttributeType) async throws -> String {
    let desk = try Desk(Editor.entity("Cell", Editor.attribute("value", type)))
    let report = try await desk.load(#"[{"value": \#(value)}]"#, as: "Cell")
    return try await desk.rows("Cell", "value").first ?? report.complaints.joined()
  }

  private func check(_ type: AttributeType, _ values: KeyValuePairs<String, String>) async throws {
    for (value, expected) in values {
      let made = try await made(value, type)
      #expect(made == expected, "\(value)")
    }
  }

  @Test(arguments: [AttributeType.integer16, .integer32, .integer64])
  func `integers take numbers and texts that are numbers`(type: AttributeType) async throws {
    try await check(
      type,
      [
        "256": "256", #""256""#: "256", #"" -3 ""#: "-3", "1.9": "1", #""-1.9""#: "-1",
        "true": "1", "null": "-", #""abc""#: #"/0/value: "abc" is not a number"#,
        #""2abc""#: #"/0/value: "2abc" is not a number"#, #""""#: #"/0/value: "" is not a number"#,
        "[1]": "/0/value: an array is not a number", "{}": "/0/value: an object is not a number",
      ])
  }

  @Test func `integers keep all their digits, or are refused`() async throws {
    try await check(
      .integer64,
      [
        "10158365420975381": "10158365420975381", #""10158365420975381""#: "10158365420975381",
        #""9007199254740993""#: "9007199254740993", "9007199254740993.7": "9007199254740993",
        #""-9007199254740993.7""#: "-9007199254740993",
        "9223372036854775808":
          "/0/value: 9223372036854775808 is beyond what the attribute can hold",
      ])
    #expect(
      try await made("70000", .integer16) == "/0/value: 70000 is beyond what the attribute can hold"
    )
  }

  @Test func `real numbers take numbers and texts that are numbers`() async throws {
    for type in [AttributeType.double, .float] {
      try await check(
        type,
        [
          "124.5": "124.5", #""124.5""#: "124.5", "1e3": "1000.0", "false": "0.0", "null": "-",
          #""1,5""#: #"/0/value: "1,5" is not a number"#,
        ])
    }
  }

  @Test func `decimals take numbers and texts, and keep what a column does`() async throws {
    try await check(
      .decimal,
      [
        "1.2": "1.2", #""0.1""#: "0.1", "null": "-",
        // A column keeps so many digits.
        #""12345678901234567890.123456789""#: "12345678901234600000",
        "123456789.123456": "123456789.123456",
        #""abc""#: #"/0/value: "abc" is not a number"#,
      ])
  }

  @Test func `truth values take numbers and words`() async throws {
    try await check(
      .boolean,
      [
        "true": "true", "false": "false", "1": "true", "0": "false", "2": "true", "null": "-",
        #""true""#: "true", #""YES""#: "true", #""y""#: "true", #"" yes""#: "true", #""1""#: "true",
        #""false""#: "false", #""NO""#: "false", #""0""#: "false",
        #""2abc""#: #"/0/value: "2abc" is not true or false"#,
        #""maybe""#: #"/0/value: "maybe" is not true or false"#,
      ])
  }

  @Test func `texts take numbers as they are written`() async throws {
    try await check(
      .string,
      [
        #""a""#: "a", #""""#: "", "10248909829": "10248909829", "1.50": "1.50", "true": "1",
        "null": "-", "{}": "/0/value: an object is not a text",
        #"["a"]"#: "/0/value: an array is not a text",
      ])
  }

  @Test func `data, identifiers and addresses are read from texts`() async throws {
    let uuid = "00000000-0000-0000-0000-00000000000A"
    try await check(
      .binary, [#""AAE=""#: "AAE=", "null": "-", "7": "/0/value: 7 is not data in Base64"])
    try await check(
      .uuid, ["\"\(uuid)\"": uuid, "null": "-", #""x""#: #"/0/value: "x" is not a UUID"#])
    try await check(
      .uri,
      [
        #""https://a.example/x""#: "https://a.example/x", "null": "-",
        "7": "/0/value: 7 is not a URL",
      ])
  }

  @Test func `a colour in a text stays that text, whatever class is noted`() async throws {
    let notes = ["attributeValueClassName": "UIColor"]
    let desk = try Desk(
      Editor.entity(
        "Paint", Editor.attribute("tone", .string, notes),
        Editor.attribute("mix", .transformable, notes)))
    let report = try await desk.load(
      """
      [{"tone": "rgba(64,128,225,1)", "mix": "rgba(1,2,3,0.5)"}, {"tone": "hsl(1", "mix": null}]
      """, as: "Paint")
    #expect(report.created == 2 && report.problemCount == 0)
    #expect(try await desk.rows("Paint", "tone") == ["hsl(1", "rgba(64,128,225,1)"])
  }
}
