extension FormatLexer {
  /// A text in quotes, of either kind; a backslash begins an escape.
  mutating func readText() throws -> String {
    let start = offset
    guard let quote = peek() else { return "" }
    offset += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek() {
      offset += 1
      if scalar == quote { return String(text) }
      text.append(scalar == "\\" ? try readEscape() : scalar)
    }
    throw FormatMistake("a text that begins with \(quote) and does not end", start)
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", "\"": "\"", "a": "\u{7}", "b": "\u{8}",
    "f": "\u{C}", "v": "\u{B}",
  ]

  private mutating func readEscape() throws -> Unicode.Scalar {
    let start = offset - 1
    guard let scalar = peek() else { throw FormatMistake("a lone backslash", start) }
    offset += 1
    if let plain = Self.escapes[scalar] { return plain }
    switch scalar {
    case "u": return try readCode(4, radix: 16, start)
    case "U": return try readCode(8, radix: 16, start)
    case "x": return try readCode(2, radix: 16, start)
    case "0"..."7":
      offset -= 1
      return try readCode(3, radix: 8, start)
    default:
      throw FormatMistake(
        "unknown escape \"\\\(scalar)\"", start,
        hint: "For a backslash write two; in a Swift literal, four, or a raw one: #\"\\\\d\"#.")
    }
  }

  /// A character by its number.
  private mutating func readCode(
    _ count: Int, radix: Int, _ start: Int
  ) throws -> Unicode.Scalar {
    let digits = String(String.UnicodeScalarView(scalars[offset...].prefix(count)))
    guard digits.unicodeScalars.count == count, digits.allSatisfy(\.isASCII),
      digits.first != "+", digits.first != "-", let number = UInt32(digits, radix: radix),
      let scalar = Unicode.Scalar(number)
    else {
      throw FormatMistake("an escape without the \(count) digits of a character", start)
    }
    offset += count
    return scalar
  }
}
