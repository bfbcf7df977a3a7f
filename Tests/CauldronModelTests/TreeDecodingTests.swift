import CauldronModel
import CauldronQuery
import Foundation
import Testing

/// What no tree can say is refused when it is decoded.
@Suite("Decoding conditions") struct TreeDecodingTests {
  private static func search(_ a: String, _ by: String, _ b: String, _ options: String) -> String {
    #"{"kind":"text","a":\#(a),"by":"\#(by)","b":\#(b),"options":\#(options)}"#
  }

  private static let path = #"{"path":["name"]}"#
  private static let text = #"{"value":{"text":"x"}}"#

  private func decoded(_ json: String) throws -> PredicateNode {
    try JSONDecoder().decode(PredicateNode.self, from: Data(json.utf8))
  }

  @Test(arguments: ["4", "5", "500", "-1", "\(Int.max)", "\(Int.min)"])
  func `options that there are not are refused, in every place`(_ options: String) {
    for json in [
      Self.search(Self.path, "CONTAINS", Self.text, options),
      #"{"kind":"comparison","a":\#(Self.path),"by":"=","b":\#(Self.text),"options":\#(options)}"#,
      #"{"kind":"isIn","a":\#(Self.path),"values":[{"text":"x"}],"options":\#(options)}"#,
    ] {
      let error = #expect(throws: CauldronError.self) { try decoded(json) }
      #expect(error?.code == .queryUnsupported)
      #expect(error?.message.contains("/options: there are no text options \(options)") == true)
    }
  }

  @Test func `options made of bits have those that there are`() {
    #expect(TextOptions(rawValue: 5) == .ignoringCase)
    #expect(TextOptions(rawValue: -1) == .ignoringCaseAndDiacritics)
    #expect(TextOptions(rawValue: 500).isEmpty)
  }

  @Test func `options are written and read as before`() throws {
    for bits in 0...3 {
      let json = Self.search(Self.path, "CONTAINS", Self.text, "\(bits)")
      let node = try decoded(json)
      #expect(node == .search("name", .contains, "x", TextOptions(rawValue: bits)))
      #expect(try decoded(String(decoding: JSONEncoder().encode(node), as: UTF8.self)) == node)
    }
  }

  @Test(
    arguments: [
      #"{"value":{}}"#, #"{"value":{"text":"a","integer":1}}"#, #"{"value":{"null":false}}"#,
      #"{"value":{"other":1}}"#, #"{}"#, #"{"path":["name"],"value":{"text":"a"}}"#,
      #"{"path":["name"],"call":"lowercase","a":{"path":["name"]}}"#, #"{"a":{"path":["name"]}}"#,
      #"{"condition":{"kind":"yes"},"path":["name"],"a":{"path":["name"]},"b":{"path":["name"]}}"#,
    ])
  func `an expression that is none, or several, is refused`(_ expression: String) {
    let error = #expect(throws: CauldronError.self) {
      try decoded(Self.search(expression, "CONTAINS", Self.text, "0"))
    }
    #expect(error?.code == .queryUnsupported)
    #expect(error?.message.contains("Cannot decode the condition at /a") == true)
  }

  @Test(
    arguments: [
      #"{"kind":"maybe"}"#, #"{"kind":"all","list":[]}"#,
      #"{"kind":"any","list":{},"isNegated":false}"#,
      #"{"kind":"quantified","by":"SOME","path":["a"],"condition":{"kind":"yes"}}"#,
      #"{"kind":"isNil","path":"name"}"#, #"{"kind":"isNil","path":[1]}"#, #"{"kind":"isNil"}"#,
      #"{"kind":"isSelf","ids":[5]}"#, #"{"kind":"isIn","a":{"path":["name"]},"options":0}"#,
      #"{"kind":"comparison","a":{"value":{"integer":1e30}},"by":"=","b":{"path":["age"]},"options":0}"#,
      #"{"kind":"comparison","a":{"by":"~","a":{"path":["age"]},"b":{"path":["age"]}},"by":"=","b":{"path":["age"]},"options":0}"#,
      #"{"kind":"comparison","a":{"call":"sqrt","a":{"path":["age"]}},"by":"=","b":{"path":["age"]},"options":0}"#,
      #"{"kind":"comparison","a":{"of":["x"],"b":"median"},"by":"=","b":{"path":["age"]},"options":0}"#,
      #"{"kind":"comparison","a":{"value":null},"by":"=","b":{"path":["age"]},"options":0}"#,
    ])
  func `what is missing or of another type is refused`(_ json: String) {
    #expect(throws: (any Error).self) { try decoded(json) }
  }

  @Test(arguments: [600, 2_000])
  func `what is nested too deeply is refused before it is decoded, in any format`(_ levels: Int)
    throws
  {
    let quantified = (
      #"<dict><key>kind</key><string>quantified</string><key>by</key><string>ANY</string><key>path</key>"#
        + "<array><string>x</string></array><key>condition</key>", "</dict>"
    )
    let junction = (
      "<dict><key>kind</key><string>all</string><key>isNegated</key><false/><key>list</key><array>",
      "</array></dict>"
    )
    for (start, end) in [quantified, junction] {
      let tree =
        String(repeating: start, count: levels) + "<dict><key>kind</key><string>yes</string></dict>"
        + String(repeating: end, count: levels)
      let list = "<?xml version=\"1.0\"?><plist version=\"1.0\">\(tree)</plist>"
      let error = #expect(throws: CauldronError.self) {
        try PropertyListDecoder().decode(PredicateNode.self, from: Data(list.utf8))
      }
      #expect(error?.code == .queryTooDeep)
    }
  }

  @Test func `a tree comes back from JSON and from a property list`() throws {
    let node = PredicateNode.or([
      .comparison(
        .conditional(.isNil("name"), .value(.null), .function(.lowercase, .property("name"))),
        .equal,
        .value(.text("x")), .ignoringCase),
      .comparison(
        .aggregate(.sum, of: "skills", .property("level"), where: .isNil("name")), .greater,
        .arithmetic(.add, .value(.integer(1)), .value(.real(.infinity))), []),
      .not(
        .quantified(.all, "skills", .isIn(key: "level", [.integer(1), .null, .blob(Data([1]))]))),
    ])
    #expect(try JSONDecoder().decode(PredicateNode.self, from: JSONEncoder().encode(node)) == node)
    let list = try PropertyListEncoder().encode(node)
    #expect(try PropertyListDecoder().decode(PredicateNode.self, from: list) == node)
  }
}
