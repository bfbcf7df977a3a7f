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
    guard !digits.isEmpty else { throw FormatMistake.expected("a digit", self) }
    return .integer(try whole(digits, radix, start))
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
      guard peek().map(Self.isDigit) == true else { throw FormatMistake.expected("a digit", self) }
      digits += readDigits()
    }
    if isWhole { return .integer(try whole(digits, 10, start)) }
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

  private func whole(_ digits: String, _ radix: Int, _ start: Int) throws -> UInt64 {
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
