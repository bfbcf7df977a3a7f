import CauldronImport
import CauldronModel
import Foundation

/// The values that records have: few, so that many are equal.
enum Literals {
  /// Values that an attribute of a type can be, however strict the import is.
  static func good(_ type: AttributeType, _ formats: [ImportDateFormat] = []) -> [Node] {
    switch type {
    case .integer16, .integer32, .integer64: numbers("0", "1", "2", "-3", "7.0", "1e2")
    case .boolean: [.literal(.truth(true)), .literal(.truth(false))]
    case .double, .float: numbers("0", "1.5", "-2", "1e3", "3")
    case .decimal: numbers("0", "1.5", "1.50", "-3", "100")
    case .string: texts("", "a", "b", "\u{e9}", "e\u{301}", "\u{0}\"")
    case .date:
      switch formats.first {
      case nil, .iso8601, .pattern:
        texts("2026-11-24", "2026-11-24T08:00:00Z", "2026-11-24T09:00:00+01:00")
      case .secondsSince1970, .millisecondsSince1970: numbers("0", "1.5", "1000")
      }
    case .binary: texts("", "AAE=", "abcd")
    case .uuid:
      texts(
        "00000000-0000-0000-0000-00000000000A", "00000000-0000-0000-0000-00000000000a",
        "FFFFFFFF-0000-0000-0000-000000000001")
    case .uri: texts("https://a.example/x", "b:c")
    case .transformable, .composite, .undefined:
      numbers("1", "100") + texts("a") + [
        .array(numbers("1", "2")),
        .object([.init(name: "a", value: .null), .init(name: "b", value: .array([]))]),
        .object([.init(name: "b", value: .array([])), .init(name: "a", value: .null)]),
      ]
    }
  }

  /// Values of any kind.
  static let any: [Node] =
    numbers("5", "1.5", "70000", "5000000000", "-1", "1e30", "-2.5", "9007199254740993.7")
    + texts(
      "", "a", "5", " 5 ", "1.5", "+5", "+-5", "0x10", "20261124", "yes", "No",
      "2026-11-24T08:00:00Z", "AAE=")
    + [.literal(.truth(true)), .literal(.truth(false)), .array([]), .object([])]

  /// The values of keys: few.
  static func key(_ type: AttributeType, _ random: inout ImportRandom) -> Node {
    if type == .string {
      return random.pick(texts("k1", "k2", "k3", "k4", "k5", "\u{e9}", "e\u{301}"))
    }
    return random.pick(numbers("1", "2", "3", "4", "5", "6"))
  }

  /// A value that an attribute can have.
  static func value(_ type: AttributeType, _ random: inout ImportRandom) -> AttributeScalar {
    NaiveCoercion(type, [], .strict).scalar(random.pick(good(type))) ?? .null
  }

  private static func numbers(_ contents: String...) -> [Node] {
    contents.map { .literal(.number($0)) }
  }

  private static func texts(_ contents: String...) -> [Node] {
    contents.map { .literal(.text($0)) }
  }
}
