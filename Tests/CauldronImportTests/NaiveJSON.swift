import Foundation

/// A second reader of the grammar, as short as possible, which says only whether a text is JSON.
struct NaiveJSON {
  private var rest: Substring.UnicodeScalarView

  static func isValid(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    var reader = NaiveJSON(rest: Substring(text).unicodeScalars)
    return reader.value() && reader.skip() == nil
  }

  /// - Returns: The next character that is no white space.
  private mutating func skip() -> Unicode.Scalar? {
    rest = rest.drop { " \n\r\t".unicodeScalars.contains($0) }
    return rest.first
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    rest = rest.dropFirst(text.unicodeScalars.count)
    return true
  }

  private mutating func value() -> Bool {
    switch skip() {
    case "[": return list("[", "]") { $0.value() }
    case "{": return list("{", "}") { $0.member() }
    case "\"": return string()
    case "n": return take("null")
    case "t": return take("true")
    case "f": return take("false")
    default:
      return match(
        #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/#.matchingSemantics(.unicodeScalar))
    }
  }

  private mutating func list(
    _ open: String, _ close: String, _ item: (inout NaiveJSON) -> Bool
  ) -> Bool {
    _ = take(open)
    if skip().map(String.init) == close { return take(close) }
    repeat {
      guard item(&self) else { return false }
      _ = skip()
    } while take(",")
    return take(close)
  }

  private mutating func member() -> Bool {
    guard skip() == "\"", string(), skip() == ":" else { return false }
    return take(":") && value()
  }

  private mutating func string() -> Bool {
    match(
      #/"([^"\\\u{0}-\u{1F}]|\\["\\\/bfnrt]|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})*"/#
        .matchingSemantics(.unicodeScalar))
  }

  private mutating func match<Output>(_ pattern: Regex<Output>) -> Bool {
    guard let found = Substring(rest).prefixMatch(of: pattern) else { return false }
    rest = Substring(rest)[found.range.upperBound...].unicodeScalars
    return true
  }
}
