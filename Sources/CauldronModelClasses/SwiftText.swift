/// Values as Swift source has them: names, literals and dictionaries.
enum SwiftText {
  /// Words that a declaration may have for a name between backticks alone.
  private static let keywords: Set<String> = [
    "Any", "Self", "actor", "as", "associatedtype", "await", "break", "case", "catch", "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
    "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// Whether a text can be the name of a declaration.
  static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else {
      return false
    }
    return text.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }

  /// A name as a declaration has it.
  static func name(_ text: String) -> String { keywords.contains(text) ? "`\(text)`" : text }

  /// A text as a literal of one line.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isInvisible(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A text in a comment, on its line.
  static func plain(_ text: String) -> String { String(literal(text).dropFirst().dropLast()) }

  /// Whether a character would not be seen, or would break the line or its order.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      true
    case .spaceSeparator: scalar != " "
    // At the front of a text it would join the quotation mark.
    case .nonspacingMark, .enclosingMark, .spacingMark: true
    default: false
    }
  }

  /// A dictionary of texts, in the order of its keys.
  static func literal(_ texts: [String: String]) -> String {
    let entries = texts.sorted { $0.key < $1.key }
      .map { "\(literal($0.key)): \(literal($0.value))" }
    return "[\(entries.joined(separator: ", "))]"
  }

  /// A number with a fraction or an exponent, as a literal of the type `Double`.
  static func literal(_ number: Double) -> String {
    if let whole = Int(exactly: number), whole.magnitude < 1 << 53,
      !(number == 0 && number.sign == .minus)
    {
      return "\(whole)"
    }
    return "\(number)"
  }

  /// A number that a model's text is; truth values are numbers, too.
  static func number(_ text: String) -> Double? {
    var rest = Substring(text)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    switch rest.lowercased() {
    case "yes", "true": return 1
    case "no", "false": return 0
    default: return Double(rest).flatMap { $0.isFinite ? $0 : nil }
    }
  }

  /// A declaration behind its attribute: on one line, or on two where one would be too long.
  static func declaration(_ attribute: String, before variable: String) -> String {
    let line = [attribute, variable].filter { !$0.isEmpty }.joined(separator: " ")
    return line.count <= 98 || attribute.isEmpty ? "  \(line)" : "  \(attribute)\n  \(variable)"
  }
}

/// The arguments of a macro, in the order in which its declaration has them.
struct MacroArguments {
  private var texts: [String] = []

  var isEmpty: Bool { texts.isEmpty }

  /// `@Name(first, label: second)`, or `@Name` alone.
  func call(_ name: String) -> String {
    texts.isEmpty ? "@\(name)" : "@\(name)(\(texts.joined(separator: ", ")))"
  }

  /// Adds an argument without a label.
  mutating func add(_ text: String) { texts.append(text) }

  /// Adds an argument that there is.
  mutating func add(_ label: String, of text: String?) {
    if let text { texts.append("\(label): \(text)") }
  }

  /// Adds an argument that is true.
  mutating func add(_ label: String, if isSet: Bool) {
    if isSet { texts.append("\(label): true") }
  }

  /// Adds what a model editor has noted.
  mutating func add(notes: [String: String]) {
    if !notes.isEmpty { texts.append("userInfo: \(SwiftText.literal(notes))") }
  }
}
