import CauldronModel
import CauldronQuery
import Foundation

/// Texts that are no conditions, or are some: changes of good ones, words without a plan, and bytes.
package struct FormatFuzz {
  private var random: FuzzGenerator
  private let samples: [[Unicode.Scalar]]

  /// - Parameter samples: The texts that are changed.
  package init(seed: UInt64, samples: [String]) {
    random = FuzzGenerator(seed: seed)
    self.samples = samples.map { Array($0.unicodeScalars) }
  }

  /// One more text.
  package mutating func next() -> String {
    switch number(100) {
    case 0..<60: return Self.text(changed())
    case 60..<80: return words()
    case 80..<90: return bytes()
    case 90..<99: return Self.text((0..<number(40)).map { _ in scalar() })
    default: return nested()
    }
  }

  /// Arguments for a text: mostly as many as it seems to ask for.
  package mutating func arguments(for format: String) -> [Any?] {
    let wanted = format.utf8.count { $0 == UInt8(ascii: "%") }
    let count = number(10) == 0 ? number(4) : min(wanted, 20)
    return (0..<count).map { _ in argument() }
  }

  /// The values of variables.
  package static var variables: [String: Any?] { ["x": 5, "name": "jack", "nothing": nil] }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func pick<T>(_ choices: [T]) -> T { choices[number(choices.count)] }

  private static func text(_ scalars: [Unicode.Scalar]) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  private mutating func changed() -> [Unicode.Scalar] {
    var text = pick(samples)
    for _ in 0...number(4) {
      let place = number(text.count + 1)
      let end = min(text.count, place + number(6))
      switch number(7) {
      case 0: text.removeSubrange(place..<end)
      case 1: text.insert(contentsOf: text[place..<end], at: number(text.count + 1))
      case 2: text.insert(scalar(), at: place)
      case 3: text.insert(contentsOf: pick(Self.words).unicodeScalars, at: place)
      case 4: if place < text.count { text[place] = scalar() }
      case 5: text = Array(text[..<place]) + pick(samples).suffix(number(30))
      default: if place < text.count { text.swapAt(place, number(text.count)) }
      }
    }
    return text
  }

  private mutating func words() -> String {
    (0..<number(20)).map { _ in pick(Self.words) }.joined(separator: number(3) == 0 ? "" : " ")
  }

  private mutating func bytes() -> String {
    String(decoding: (0..<number(60)).map { _ in UInt8(number(256)) }, as: UTF8.self)
  }

  /// Much within one another, and at times too much.
  private mutating func nested() -> String {
    let (open, inner, close) = pick(Self.nests)
    let count = number(4) == 0 ? number(2_000) : number(60)
    let kept = number(3) == 0 ? number(count + 1) : count
    return String(repeating: open, count: count) + inner + String(repeating: close, count: kept)
  }

  private mutating func scalar() -> Unicode.Scalar {
    switch number(10) {
    case 0: return Unicode.Scalar(UInt32(number(0x11_0000))) ?? "\u{FFFD}"
    case 1: return pick(["\u{0}", "\n", "\r", "\u{301}", "\u{2028}", "\u{200D}", "é", "🙂", "”"])
    default: return Unicode.Scalar(UInt8(32 + number(95)))
    }
  }

  private mutating func argument() -> Any? {
    switch number(12) {
    case 0: return nil
    case 1: return "text \"quoted\"\n"
    case 2: return "employer.name"
    case 3: return 1.5
    case 4: return [1, 2]
    case 5: return ["a", nil] as [String?]
    case 6: return ManagedObjectID(key: Int64(number(9)), entityNumber: 2, storeNumber: 1)
    case 7: return Date(timeIntervalSinceReferenceDate: 5)
    case 8: return Data([1, 2])
    case 9: return 1...5
    case 10: return PropertyPath("skills.level")
    default: return number(100)
    }
  }

  private static let nests: [(String, String, String)] = [
    ("(", "age == 1", ")"), ("NOT (a == 1 AND ", "b == 2", ")"), ("!", "a == 1", ""),
    ("-", "age == 1", ""), ("(1 + ", "age", ") == 1"), ("abs:(", "age", ")"), ("{", "1", "}"),
    ("SUBQUERY(a, $x, ", "$x.b == 1", ").@count > 0"), ("ANY (", "a.b == 1", ")"),
    ("TERNARY(a == 1, 1, ", "2", ")"), ("CAST(", "1", ", \"Date\")"), ("a.", "b == 1", ""),
    ("a == 1 AND ", "a == 1", ""), ("a == 1 OR ", "a == 1", " AND b == 2"), ("1 + ", "a == 1", ""),
    ("a.@sum.(", "b", ") > 1"),
  ]

  private static let words = [
    "AND", "OR", "NOT", "ANY", "ALL", "NONE", "SOME", "IN", "BETWEEN", "LIKE", "MATCHES",
    "CONTAINS", "BEGINSWITH[cd]", "ENDSWITH", "NIL", "TRUE", "NO", "SELF", "CAST(", "TERNARY(",
    "SUBQUERY(", "TRUEPREDICATE", "FALSEPREDICATE", "FUNCTION(", "age", "name", "skills.level",
    "employer.name", "==", "!=", "<", ">=", "=", "=<", "+", "-", "*", "/", "**", "(", ")", "{", "}",
    "[", "]", "[cd]", "[SIZE]", ",", ".", "$x", "$name", "$y", "%@", "%K", "%d", "%f", "%%", "1",
    "2.5", "0x1F", "1e5", "\"text\"", "'x'", "\"\\n\"", "#in", "#\"odd\"", "@count", ".@count",
    ".@sum.level", ".@max.(", "sum:(", "abs:(", "length:(", "add:to:(", "now()", "&&", "||", "!",
    ":=",
    "'", "\"", "\\", "SUBQUERY(skills, $x, $x.level > 3).@count > 0", "age BETWEEN {1, 2}",
  ]
}

/// SplitMix64, so that a seed makes the same texts everywhere.
private struct FuzzGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
