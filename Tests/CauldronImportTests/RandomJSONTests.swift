import CauldronModel
import Foundation
import TestSupport
import Testing

/// Random texts mean what Foundation says they mean, and random damage is refused where
/// the grammar refuses it: Foundation reads a comma too many.
@Suite(.againstHanging) struct RandomJSONTests {
  private var generator = SystemRandomNumberGenerator()

  private mutating func text(_ depth: Int) -> String {
    let space = [" ", "", "", "\n", "\t", "\r\n"].randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<(depth > 4 ? 5 : 8), using: &generator) {
    case 0: return space + (["null", "true", "false"].randomElement(using: &generator) ?? "null")
    case 1, 2: return space + number()
    case 3, 4: return string() + space
    case 5, 6:
      let items = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in text(depth + 1) }
      return "[" + space + items.joined(separator: ",") + "]"
    default:
      let items = (0..<Int.random(in: 0..<20, using: &generator)).map { index in
        string("\(index)") + space + ":" + text(depth + 1)
      }
      return "{" + items.joined(separator: "," + space) + "}"
    }
  }

  private mutating func number() -> String {
    let whole = Int.random(in: -1_000_000...1_000_000, using: &generator)
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: return "\(whole)"
    case 1: return "\(whole).\(UInt.random(in: 0..<1_000, using: &generator))"
    default: return "\(whole)e\(Int.random(in: -20...20, using: &generator))"
    }
  }

  private mutating func string(_ start: String = "") -> String {
    let parts = [
      "a", "ä", "a\u{308}", "😀", #"\n"#, #"\u00e4"#, #"\ud83d\ude00"#, #"\""#, #"\\"#, "/", "~",
    ]
    let count = Int.random(in: 0..<6, using: &generator)
    return "\"\(start)"
      + (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined() + "\""
  }

  private static func isSame(_ value: JSONValue, _ other: Any) -> Bool {
    switch value.kind {
    case .null, .native, .unusable: return other is NSNull
    case .true, .false: return (other as? Bool) == (value.kind == .true)
    case .number: return (other as? NSNumber)?.doubleValue == value.text.flatMap(Double.init)
    case .string:
      return (other as? String).map { Array($0.utf8) } == value.text.map { Array($0.utf8) }
    case .array:
      guard let other = other as? [Any], other.count == value.count else { return false }
      return zip(value.elements, other).allSatisfy { isSame($0, $1) }
    case .object:
      guard let other = other as? [String: Any], other.count == value.count else { return false }
      return value.members.allSatisfy { name, value in
        other[name].map { isSame(value, $0) } == true
      }
    }
  }

  @Test mutating func `texts are read as Foundation reads them`() throws {
    for _ in 0..<2_000 {
      let text = "[" + (0..<3).map { _ in self.text(0) }.joined(separator: ",") + "]"
      let bytes = Array(text.utf8)
      guard let all = try JSONSerialization.jsonObject(with: Data(bytes)) as? [Any] else { return }
      var place = 0
      let size = Int.random(in: 1...20, using: &generator)
      try Reading.read(bytes, root: [], size) { record in
        #expect(Self.isSame(record.root, all[place]), "\(text)")
        place += 1
      }
      #expect(place == 3)
    }
  }

  @Test mutating func `damaged texts are refused where the grammar refuses them`() throws {
    var refused = 0
    for _ in 0..<400 {
      var bytes = Array("[\(text(0)),\(text(0))]".utf8)
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bytes.remove(at: place)
      case 1: bytes[place] = UInt8.random(in: 0..<127, using: &generator)
      default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &generator)], at: place)
      }
      let isValid = NaiveJSON.isValid(bytes)
      do {
        // What has half a pair of units is read, and told from what is a text.
        var isWhole = true
        try Reading.read(bytes, root: [], 5) { isWhole = isWhole && $0.root.unusablePart == nil }
        #expect(isValid == isWhole, "\(String(decoding: bytes, as: UTF8.self))")
      } catch let error as CauldronError {
        refused += 1
        let isKnown = [.importDuplicateKey, .importRoot].contains(error.code)
        #expect(!isValid || isKnown, "\(error) \(String(decoding: bytes, as: UTF8.self))")
      }
    }
    #expect(refused > 50)
  }
}
