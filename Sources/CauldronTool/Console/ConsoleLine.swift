import CauldronModel

/// A line for a terminal, on which nothing acts but its own colours.
///
/// Whatever is put into it as a text may come from a file, and has its controls written out.
package struct ConsoleLine: Equatable {
  /// The line without its end.
  package private(set) var text: String

  package init(_ text: String) { self.text = text.withVisibleControls }

  private init(safe text: String) { self.text = text }

  /// A colour of the terminal (https://en.wikipedia.org/wiki/ANSI_escape_code).
  enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  func styled(_ style: Style) -> ConsoleLine {
    text.isEmpty ? self : ConsoleLine(safe: "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m")
  }

  package static func + (first: ConsoleLine, second: ConsoleLine) -> ConsoleLine {
    ConsoleLine(safe: first.text + second.text)
  }
}

extension ConsoleLine: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(text) }

  package init(stringInterpolation parts: StringInterpolation) { self.init(safe: parts.text) }

  /// The parts of a line: texts, and lines that have colours.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { text += literal.withVisibleControls }

    package mutating func appendInterpolation(_ part: String) { text += part.withVisibleControls }

    package mutating func appendInterpolation(_ line: ConsoleLine) { text += line.text }
  }
}
