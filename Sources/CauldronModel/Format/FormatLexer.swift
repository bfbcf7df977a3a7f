/// Takes a format string apart.
struct FormatLexer {
  let scalars: [Unicode.Scalar]
  var offset = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The scalar that comes next, or one behind it.
  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    offset + distance < scalars.count ? scalars[offset + distance] : nil
  }

  /// The token that comes next; the end again and again after the last one.
  mutating func next() throws -> FormatToken {
    skipSpace()
    let start = offset
    let kind = try readKind()
    return FormatToken(kind: kind, start: start, end: offset)
  }

  /// Whether a sign comes next, which stays where it is.
  mutating func isNext(_ sign: Unicode.Scalar) -> Bool {
    skipSpace()
    return peek() == sign
  }

  private mutating func skipSpace() {
    while let scalar = peek(), scalar.properties.isWhitespace { offset += 1 }
  }

  private mutating func readKind() throws -> FormatToken.Kind {
    guard let scalar = peek() else { return .end }
    switch scalar {
    case "'", "\"": return .text(try readText())
    case "0"..."9": return try readNumber()
    case "." where peek(1).map(Self.isDigit) == true: return try readNumber()
    case "#": return .name(try readEscaped(), isEscaped: true)
    case "$":
      offset += 1
      return .variable(try readWord("the name of a variable"))
    case "@":
      offset += 1
      return .gathering(try readWord("count, sum, avg, min or max"))
    case "%": return .argument(try readConversion())
    default:
      guard FormatWords.begins(scalar) else { return .sign(try readSign()) }
      return readName()
    }
  }

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// A name, or that of a function, whose colons belong to it.
  private mutating func readName() -> FormatToken.Kind {
    var name = readWord()
    guard peek() == ":", peek(1) != "=" else { return .name(name, isEscaped: false) }
    while let scalar = peek(), scalar == ":" || FormatWords.continues(scalar) {
      name.unicodeScalars.append(scalar)
      offset += 1
    }
    return .function(name)
  }

  private mutating func readWord() -> String {
    var word = String.UnicodeScalarView()
    while let scalar = peek(), FormatWords.continues(scalar) {
      word.append(scalar)
      offset += 1
    }
    return String(word)
  }

  private mutating func readWord(_ expected: String) throws -> String {
    guard let scalar = peek(), FormatWords.begins(scalar) else {
      throw FormatMistake.expected(expected, self)
    }
    return readWord()
  }

  /// What stands behind a #: a word, or any text in quotes.
  private mutating func readEscaped() throws -> String {
    offset += 1
    if peek() == "\"" || peek() == "'" { return try readText() }
    return try readWord("the name of a property")
  }

  private static let pairs: Set<String> = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "**", ":=",
  ]

  private mutating func readSign() throws -> String {
    guard let scalar = peek() else { return "" }
    if let second = peek(1) {
      let pair = String(String.UnicodeScalarView([scalar, second]))
      if Self.pairs.contains(pair) {
        offset += 2
        return pair
      }
    }
    offset += 1
    return String(scalar)
  }
}
