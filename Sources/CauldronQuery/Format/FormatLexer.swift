import CauldronModel

/// A word, number, text or sign of a format string.
struct FormatToken {
  let kind: Kind
  /// Where it begins and ends, counted in Unicode scalars.
  let start: Int
  let end: Int

  enum Kind: Equatable {
    case integer(UInt64)
    case real(Double)
    case text(String)
    /// A word; with a # before it, or behind a point, it is the name of a property whatever it is.
    case name(String, isEscaped: Bool)
    /// A word with colons, such as `add:to:`.
    case function(String)
    case variable(String)
    /// `@count` and the like.
    case gathering(String)
    case argument(Conversion)
    case sign(String)
    case end
  }

  /// What an argument has to be.
  enum Conversion: String, Equatable {
    case value = "%@"
    case key = "%K"
    case integer = "%d"
    case real = "%f"
    case text = "%s"
  }

  /// Whether it is a sign.
  func isSign(_ text: String) -> Bool { kind == .sign(text) }

  /// A word in capitals, unless it is escaped: what keywords are compared with.
  var keyword: String? {
    guard case .name(let name, isEscaped: false) = kind else { return nil }
    return name.uppercased()
  }
}

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
    return .function(name.withOrderedMarks)
  }

  private mutating func readWord() -> String {
    var word = String.UnicodeScalarView()
    while let scalar = peek(), FormatWords.continues(scalar) {
      word.append(scalar)
      offset += 1
    }
    // Names are looked for, and equal however their accents are written.
    return String(word).withOrderedMarks
  }

  private mutating func readWord(_ expected: String) throws -> String {
    guard let scalar = peek(), FormatWords.begins(scalar) else {
      throw FormatMistake.expected(expected, in: self)
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

extension FormatLexer {
  /// A number without a sign: decimal, with a fraction and an exponent perhaps, or 0x, 0o and 0b.
  mutating func readNumber() throws -> FormatToken.Kind {
    let start = offset
    let kind = try peek() == "0" ? readPrefixed() ?? readDecimal(start) : readDecimal(start)
    if let scalar = peek(), FormatWords.continues(scalar) {
      while let scalar = peek(), FormatWords.continues(scalar) { offset += 1 }
      let word = String(String.UnicodeScalarView(scalars[start..<offset]))
      throw FormatMistake("\"\(word)\" is no number", start)
    }
    return kind
  }

  private mutating func readPrefixed() throws -> FormatToken.Kind? {
    let radix: Int
    switch peek(1) {
    case "x", "X": radix = 16
    case "o", "O": radix = 8
    case "b", "B": radix = 2
    default: return nil
    }
    let start = offset
    offset += 2
    var digits = ""
    while let scalar = peek(), Int(String(scalar), radix: radix) != nil, scalar.isASCII {
      digits.unicodeScalars.append(scalar)
      offset += 1
    }
    guard !digits.isEmpty else { throw FormatMistake.expected("a digit", in: self) }
    return .integer(try whole(digits, radix: radix, at: start))
  }

  private mutating func readDecimal(_ start: Int) throws -> FormatToken.Kind {
    var digits = readDigits()
    var isWhole = true
    if peek() == ".", peek(1).map(Self.isDigit) == true {
      isWhole = false
      offset += 1
      digits += "." + readDigits()
    }
    if peek() == "e" || peek() == "E" {
      isWhole = false
      offset += 1
      digits += "e"
      if peek() == "+" || peek() == "-" {
        digits += peek() == "-" ? "-" : ""
        offset += 1
      }
      guard peek().map(Self.isDigit) == true else {
        throw FormatMistake.expected("a digit", in: self)
      }
      digits += readDigits()
    }
    if isWhole { return .integer(try whole(digits, radix: 10, at: start)) }
    guard let number = Double(digits.first == "." ? "0" + digits : digits), number.isFinite else {
      throw FormatMistake("a number beyond what a Double holds", start)
    }
    return .real(number)
  }

  private mutating func readDigits() -> String {
    var digits = ""
    while let scalar = peek(), Self.isDigit(scalar) {
      digits.unicodeScalars.append(scalar)
      offset += 1
    }
    return digits
  }

  private func whole(_ digits: String, radix: Int, at start: Int) throws -> UInt64 {
    guard let number = UInt64(digits, radix: radix) else {
      throw FormatMistake.tooLarge(start)
    }
    return number
  }

  /// What an argument has to be: `%@`, `%K` or a conversion of C.
  mutating func readConversion() throws -> FormatToken.Conversion {
    let start = offset
    offset += 1
    while let scalar = peek(), "hlqLztj".unicodeScalars.contains(scalar) { offset += 1 }
    let isPlain = offset == start + 1
    defer { offset += 1 }
    switch peek() {
    case "@" where isPlain: return .value
    case "K" where isPlain: return .key
    case "d", "i", "u", "x", "o", "D", "U", "X", "O": return .integer
    case "f", "e", "g", "a", "F", "E", "G", "A": return .real
    case "s" where isPlain: return .text
    case "%" where isPlain:
      throw FormatMistake(
        "a percent sign outside of quotes", start,
        hint: "What division leaves is modulus:by:(a, b).")
    default:
      throw FormatMistake(
        "a percent sign without @, K, d, f or s", start, hint: "In quotes it needs no other one.")
    }
  }
}

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
    case "u": return try readCode(4, radix: 16, at: start)
    case "U": return try readCode(8, radix: 16, at: start)
    case "x": return try readCode(2, radix: 16, at: start)
    case "0"..."7":
      offset -= 1
      return try readCode(3, radix: 8, at: start)
    default:
      throw FormatMistake(
        "unknown escape \"\\\(scalar)\"", start,
        hint: "For a backslash write two; in a Swift literal, four, or a raw one: #\"\\\\d\"#.")
    }
  }

  /// A character by its number.
  private mutating func readCode(
    _ count: Int, radix: Int, at start: Int
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
