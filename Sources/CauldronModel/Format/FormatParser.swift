import Foundation

/// Reads a format string: with two stacks in the place of recursion, so that no text makes it deep.
struct FormatParser {
  var lexer: FormatLexer
  let arguments: [Any?]
  let variables: [String: Any?]
  var used = 0
  var operands: [FormatOperand] = []
  var operators: [FormatOperator] = []
  var roots: [FormatRoot] = []
  /// How many brackets are open that may lie within one another.
  var level = 0

  init(_ format: String, _ arguments: [Any?], _ variables: [String: Any?]) {
    lexer = FormatLexer(format)
    self.arguments = arguments
    self.variables = variables
  }

  /// Reads all of it.
  mutating func read() throws -> FormatOperand {
    var wantsOperand = true
    while true {
      let token = try lexer.next()
      if wantsOperand {
        wantsOperand = try takeOperand(token)
      } else if token.kind == .end {
        return try finish(token)
      } else {
        wantsOperand = try takeOperator(token)
      }
    }
  }

  private mutating func finish(_ token: FormatToken) throws -> FormatOperand {
    try reduceToFrame()
    if !operators.isEmpty { throw expectedOperator(token) }
    if used < arguments.count {
      let given = arguments.count == 1 ? "1 argument is" : "\(arguments.count) arguments are"
      throw FormatMistake(
        "\(given) given, and \(used == 0 ? "none" : "\(used)") used", token.start,
        code: .queryTypeMismatch)
    }
    return operands.removeLast()
  }

  /// Applies what binds tighter than what comes, or as tight from the left.
  mutating func reduce(to precedence: Int) throws {
    while let last = operators.last, last.precedence >= precedence, last.precedence > 0 {
      operators.removeLast()
      try apply(last)
    }
  }

  mutating func reduceToFrame() throws { try reduce(to: 1) }

  /// Opens brackets.
  mutating func open(_ kind: FormatFrame.Kind, _ token: FormatToken) throws {
    let frame = FormatFrame(kind: kind, base: operands.count)
    if frame.nests { level += 1 }
    if level > PredicateJunction.greatestDepth { throw FormatMistake.tooDeep(token.start) }
    operators.append(FormatOperator(kind: .frame(frame), start: token.start))
  }

  mutating func push(
    _ content: FormatOperand.Content, depth: Int = 0, _ start: Int
  ) throws {
    let operand = FormatOperand(content, depth: depth, start)
    try operand.check()
    operands.append(operand)
  }

  /// What is wrong where a value or a condition should begin.
  func expectedOperand(_ token: FormatToken) -> FormatMistake {
    var what = "a value"
    if operators.last?.takesCondition ?? true { what = "a condition" }
    if case .quantifier? = operators.last?.kind { what = "the path of a relationship" }
    var hint = ""
    if case .name(let word, isEscaped: false) = token.kind {
      hint = "For a property of that name write #\(word)."
    }
    return .expected(what, token, in: lexer, hint: hint)
  }

  /// What is wrong where an operand is over.
  func expectedOperator(_ token: FormatToken) -> FormatMistake {
    let frame = operators.last { $0.frame != nil }?.frame
    var what = frame.map { "\"\($0.end)\"" } ?? "the end"
    if let frame, frame.takesComma { what = frame.isCounted ? "a comma" : "a comma or \(what)" }
    if frame?.takesCondition ?? true {
      what = isWhole ? "AND, OR or \(what)" : "a comparison such as =="
    }
    var hint = ""
    if token.keyword == "NOT" { hint = "For the opposite write NOT (name IN {1, 2})." }
    return .expected(what, token, in: lexer, hint: hint)
  }

  /// Whether what was read last is a condition.
  private var isWhole: Bool {
    if case .condition? = operands.last?.content { return true }
    for pending in operators.reversed() {
      if case .comparison = pending.kind { return true }
      if pending.frame != nil { return false }
    }
    return false
  }
}
