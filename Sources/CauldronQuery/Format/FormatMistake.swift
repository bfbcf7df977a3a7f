import CauldronModel

/// What is wrong with a format string, and where.
struct FormatMistake: Error {
  let what: String
  /// The place, counted in Unicode scalars.
  let offset: Int
  let hint: String
  let code: CauldronError.Code

  init(
    _ what: String, _ offset: Int, hint: String = "", code: CauldronError.Code = .queryUnsupported
  ) {
    self.what = what
    self.offset = offset
    self.hint = hint
    self.code = code
  }

  /// Something else stands where a lexer is.
  static func expected(_ what: String, in lexer: FormatLexer) -> FormatMistake {
    let found = lexer.peek().map { "\"\($0)\"" } ?? "the end"
    return FormatMistake("expected \(what), found \(found)", lexer.offset)
  }

  /// Another token stands where something is expected.
  static func expected(
    _ what: String, at token: FormatToken, in lexer: FormatLexer, hint: String = ""
  ) -> FormatMistake {
    let length = min(token.end - token.start, 40)
    let text = String(String.UnicodeScalarView(lexer.scalars[token.start..<token.start + length]))
    let isCut = length < token.end - token.start
    let found = token.kind == .end ? "the end" : "\"\(text)\(isCut ? "…" : "")\""
    return FormatMistake("expected \(what), found \(found)", token.start, hint: hint)
  }

  static func tooLarge(_ offset: Int) -> FormatMistake {
    FormatMistake(
      "a number beyond 64 bits", offset, hint: "Write it with a fraction, or give a Decimal as %@.")
  }

  static func tooDeep(_ offset: Int) -> FormatMistake {
    FormatMistake(
      "more than \(PredicateJunction.greatestDepth) levels within one another", offset,
      hint: "Fetch in parts, or filter the fetched objects.", code: .queryTooDeep)
  }

  /// What the grammar knows, and the tree has no meaning for.
  static func meaningless(_ what: String, at offset: Int, hint: String) -> FormatMistake {
    FormatMistake("\(what) has no meaning here", offset, hint: hint)
  }

  /// The error, in one line, with the text around the place.
  func error(_ kind: String, in format: String) -> CauldronError {
    let (position, text) = Self.place(of: offset, in: format)
    return CauldronError(
      code,
      Self.line("Cannot read the \(kind) \"\(text)\": \(what), at character \(position)."),
      hint: Self.line(hint)
    ).with { $0.position = position }
  }

  /// The number of the character, from 1, and what stands around it; one more than there are at the
  /// end.
  private static func place(of offset: Int, in format: String) -> (Int, String) {
    var position = 1
    var passed = 0
    for character in format {
      passed += character.unicodeScalars.count
      if passed > offset { break }
      position += 1
    }
    // A single letter can be as long as a text, by its accents.
    let (shown, scalars) = (80, format.unicodeScalars)
    let start = max(0, min(offset - shown / 2, scalars.count - shown))
    let part = String(scalars.dropFirst(start).prefix(shown))
    let isCut = start + shown < scalars.count
    return (position, "\(start > 0 ? "…" : "")\(part)\(isCut ? "…" : "")")
  }

  /// A text in one line, with a blank in the place of what would end it.
  private static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: " "
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
