import CauldronModel
import Foundation
import TestSupport
import Testing

/// Texts are read as they stand, in whatever pieces they come.
@Suite(.againstHanging) struct JSONParserTests {
  private func records(
    _ text: String, root: [String] = [], pieces size: Int = .max
  ) throws -> [Any] {
    var found: [Any] = []
    try Reading.read(Array(text.utf8), root: root, size) { found.append(Reading.plain($0.root)) }
    return found
  }

  private func problem(_ text: String, root: [String] = []) -> CauldronError? {
    do {
      _ = try records(text, root: root)
      return nil
    } catch { return error as? CauldronError }
  }

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func `values are what they are, in pieces of any size`(_ size: Int) throws {
    let text = """
      \u{FEFF}[null, true, false, 0, -0.5e+10, 12345678901234567890.10, "", "a\\"\\\\\\/\\b\\f\\n\\r\\t",
       "\\u00e4ä\\ud83d\\ude00😀", [], {}, [1, [2, {"x": [3]}]], {"a": {"b": 1}, "": [true]}]
      """
    let found = try records(text, pieces: size)
    #expect(found.count == 13)
    let expected: [Any] = [
      NSNull(), true, false, Digits("0"), Digits("-0.5e+10"), Digits("12345678901234567890.10"), "",
      "a\"\\/\u{8}\u{C}\n\r\t", "ää😀😀", [Any](), [String: Any](),
      [Digits("1"), [Digits("2"), ["x": [Digits("3")]]]] as [Any],
      ["a": ["b": Digits("1")], "": [true]] as [String: Any],
    ]
    for (a, b) in zip(found, expected) { #expect(Reading.isEqual(a, b), "\(a) \(b)") }
  }

  @Test(arguments: [1, 2, 1_000])
  func `half a pair of escaped units is no text, and ends nothing`(_ size: Int) throws {
    let texts = [
      #"\ud83d"#, #"\udc00"#, #"a\ud800\n"#, #"\ud800b"#, #"\ud800\ud800\udc00"#, #"\ud800\u0041"#,
      #"\ud800\""#,
    ]
    let json = "[\(texts.map { "\"\($0)\"" }.joined(separator: ",")),\"\\ud83d\\ude00\",1]"
    var kinds: [JSONTape.Kind] = []
    var found: [String?] = []
    try Reading.read(Array(json.utf8), root: [], size) {
      kinds.append($0.root.kind)
      found.append($0.root.unusable ?? $0.root.text)
    }
    #expect(kinds == Array(repeating: .unusable, count: texts.count) + [.string, .number])
    #expect(found.dropLast(2).allSatisfy { $0 == "a text with half a pair of escaped units" })
    #expect(found.suffix(2) == ["\u{1F600}", "1"])
    for text in texts {
      #expect(JSONText.value("\"\(text)\"") == nil && JSONText.value("{\"\(text)\":1}") == nil)
    }
  }

  @Test(.enabled(if: !Sanitizer.isOn, "a sanitizer says nothing about time"))
  func `the place of an error is told in proportion to its names`() throws {
    let growth = try Growth.ofFourfold(1_500) { count in
      let name = "a~/" + String(repeating: "\u{301}\u{323}", count: count)
      let json = "[{\"\(name)\":x}]"
      return { #expect(problem(json)?.message.utf8.count ?? 1_000 < 1_000) }
    }
    #expect(growth < Growth.limit)
    #expect(problem(#"[{"a~/b":x}]"#)?.message.contains("(/0/a~0~1b)") == true)
  }

  @Test func `a root leads to the records`() throws {
    let text = #"{"other": [{"x": 1}, {"x": 1}], "a": {"n": 5, "b": [{"x": 1}, 2]}, "c": null}"#
    #expect(try records(text, root: ["a", "b"]).count == 2)
    #expect(try records(text, root: ["a"]).count == 1)
    #expect(try records(text).count == 1)
    #expect(try records("[]").isEmpty && records(#"{"a": []}"#, root: ["a"]).isEmpty)
    for (root, reason) in [
      (["d"], #"the object has no "d""#), (["c"], "the root is neither an array nor an object"),
      (["c", "x"], #"there is no object in which "x" could be"#),
      (["other", "x"], #"there is no object in which "x" could be"#),
    ] {
      let error = problem(text, root: root)
      #expect(error?.code == .importRoot && error?.message.contains(reason) == true, "\(root)")
    }
    #expect(problem("17")?.code == .importRoot)
    #expect(problem(#"{"a": [], "a": []}"#, root: ["a"])?.code == .importDuplicateKey)
  }

  @Test func `what cannot be read says where`() {
    let texts: [(String, String)] = [
      ("", "line 1, column 1: it ends too early, a value is missing"),
      ("[1, 2", "it ends too early, an array or object is open"),
      ("[\n1,\n 2 3]", "line 3, column 4 (/1): a comma or the end of the array is missing"),
      ("[1,]", "line 1, column 4 (/0): there is a comma before \"]\""),
      ("[01]", "a comma or the end"),
      ("[1.]", "column 4 (/0): a digit is missing"), ("[-]", "a digit is missing"),
      ("[1e+]", "a digit is missing"), ("[tru]", "a value is missing"),
      ("[NaN]", "only null, true, false and numbers"), ("[.5]", "begins with a digit"),
      ("[+1]", "begins with a digit"),
      (#"["\x"]"#, "there is no such escape"), ("[\"a\nb\"]", "a control character"),
      (#"["\u12g4"]"#, "four hexadecimal digits"), (#"["\ud800\x"]"#, "there is no such escape"),
      (#"["\ud800\u12g4"]"#, "four hexadecimal digits"),
      ("[{a: 1}]", "names stand in double quotes"), (#"[{"a" 1}]"#, "a colon is missing"),
      (#"[{"a": 1,}]"#, "(/0/a): there is a comma before"),
      ("[] []", "more follows after the end"),
      ("[1]]", "more follows after the end"), ("[}", "a value is missing"),
      ("{]", "a name in quotes"),
      (#"[{"a": 1, "b~/": {"c": [1, x]}}]"#, "(/0/b~0~1/c/0): only null, true"),
      ("[1] // x", "more follows"),
    ]
    for (text, reason) in texts {
      let error = problem(text)
      #expect(error?.code == .importSyntax, "\(text)")
      #expect(error?.message.contains(reason) == true, "\(text): \(error?.message ?? "none")")
    }
  }

  @Test func `a name that comes twice is noted, among few and among many`() throws {
    for count in [1, 15, 16, 17, 1_000] {
      let names = (0..<count).map { "\"n\($0)\": {\"x\": [1]}" }.joined(separator: ", ")
      #expect(try records("[{\(names)}, {\(names)}]").count == 2)
      for last in [0, count - 1] {
        let name = Array("n\(last)".utf8)
        var seen = 0
        let text = "[{\(names), \"n\(last)\": 1}, {\(names)}]"
        try Reading.read(Array(text.utf8), root: [], 7) { record in
          let isFirst = seen == 0
          seen += 1
          #expect(record.root.isRepeated(name) == isFirst, "\(count) \(last)")
          #expect(record.root.member(name)?.kind == (isFirst ? .number : .object))
          #expect(record.root.members.count == count)
          #expect(record.root.repeatedName == (isFirst ? "n\(last)" : nil))
        }
        #expect(seen == 2)
      }
    }
    // Two spellings of a letter are two names, and an escaped one is the same.
    try Reading.read(Array("[{\"ä\": 1, \"a\u{308}\": 2}]".utf8), root: [], 3) { record in
      #expect(record.root.count == 2 && record.root.repeatedName == nil)
      #expect(record.root.member(Array("a\u{308}".utf8))?.text == "2")
    }
    try Reading.read(Array(#"[{"a": 1, "\u0061": 2}]"#.utf8), root: [], 3) { record in
      #expect(record.root.repeatedName == "a" && record.root.json() == #"{"a":2}"#)
    }
  }

  @Test func `a name that comes twice stops the reading only where it is followed`() {
    for (text, root, pointer) in [
      (#"[{"a": 1, "b": 2, "a": 3}]"#, [String](), nil),
      (#"{"x": 1, "x": 2, "a": []}"#, ["a"], nil),
      (#"{"a": [], "x": 1, "x": 2}"#, ["a"], nil),
      (#"{"o": {"a": [], "a": []}}"#, ["o", "a"], "(/o/a)"),
      (#"{"o": {"a": []}, "o": 1}"#, ["o", "a"], "(/o)"),
    ] {
      let error = problem(text, root: root)
      #expect(error?.code == (pointer == nil ? nil : .importDuplicateKey), "\(text)")
      #expect(error?.message.contains(pointer ?? "-") != false, "\(error?.message ?? "none")")
    }
  }

  @Test func `many names take no more time each than few`() throws {
    func time(_ count: Int) throws -> Double {
      let names = (0..<count).map { "\"n\($0)\":1" }.joined(separator: ",")
      let bytes = Array("[{\(names)}]".utf8)
      return try (0..<3).map { _ in
        let began = threadSeconds
        try Reading.read(bytes, root: [], .max) { _ in }
        return threadSeconds - began
      }.min() ?? 0
    }
    // Sixteen times as many: 256 times as long where each looks at all before it.
    #expect(try time(80_000) < time(5_000) * 64)
  }

  @Test func `exponents may be as large as they like`() {
    for text in ["1e-9223372036854775808", "1e9223372036854775807", "1e99999999999999999999"] {
      #expect(JSONNumber.parts(text)?.exponent.magnitude ?? 0 >= JSONNumber.beyondMeasure)
      #expect(JSONNumber.integer(text) == nil)
      // Of two such numbers nobody knows whether they are equal, unless they are spelt alike.
      #expect(JSONText.value(text)?.json(.canonical) == text)
    }
    #expect(JSONNumber.integer("-0.00e-9223372036854775808") == 0)
    #expect(JSONNumber.whole("-12.75") == -12 && JSONNumber.whole("1e-4294967295") == 0)
  }

  @Test func `nesting has an end`() throws {
    let most = 512
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try records(nested(most)).count == 1)
    #expect(problem(nested(most + 1))?.code == .importTooDeep)
    #expect(problem(String(repeating: #"{"a":"#, count: 100_000))?.code == .importTooDeep)
  }

  @Test func `bytes that are no letters are refused`() {
    for bytes: [UInt8] in [
      [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
    ] {
      let text = Array(#"["a"#.utf8) + bytes + Array(#""]"#.utf8)
      for size in [1, 100] {
        #expect(throws: CauldronError.self) { try Reading.read(text, root: [], size) { _ in } }
      }
    }
    #expect(throws: CauldronError.self) {
      try Reading.read([0xEF, 0x5B, 0x5D], root: [], 1) { _ in }
    }
  }

  @Test func `records come before the mistake that ends the reading`() throws {
    var found = 0
    #expect(throws: CauldronError.self) {
      try Reading.read(Array("[1, 2, x]".utf8), root: [], 100) { _ in found += 1 }
    }
    #expect(found == 2)
  }

  @Test func `a number may have a plus, and no plus with an accent`() {
    #expect(JSONNumber.digits(" +05 ") == "05" && JSONNumber.digits("-5") == "-5")
    for text in ["+-5", "+\u{301}5", "+", "", "5\u{301}"] {
      #expect(JSONNumber.digits(text) == nil, "\(text)")
    }
  }
}
