extension FormatParser {
  /// Takes what a value or a condition begins with.
  /// - Returns: Whether one is still to come.
  mutating func takeOperand(_ token: FormatToken) throws -> Bool {
    switch token.kind {
    case .integer(let magnitude): try pushNumber(magnitude, token)
    case .real(let number): try push(.value(.value(.real(number))), token.start)
    case .text(let text): try push(.value(.value(.text(text))), token.start)
    case .argument(let conversion): try pushArgument(conversion, token)
    case .variable(let name): try pushVariable(name, token)
    case .function(let name): return try openCall(name, token)
    case .name(let name, isEscaped: true): try pushName(name, token)
    case .name(let name, isEscaped: false): return try takeWord(name, token)
    case .sign(let sign): return try takePrefix(sign, token)
    case .gathering, .end: throw expectedOperand(token)
    }
    return false
  }

  /// A sign before an operand, or the end of an empty list.
  private mutating func takePrefix(_ sign: String, _ token: FormatToken) throws -> Bool {
    switch sign {
    case "(": try open(.group, token)
    case "{": try open(.list, token)
    case "-": operators.append(FormatOperator(kind: .minus, start: token.start))
    case "!": operators.append(FormatOperator(kind: .not, start: token.start))
    case ")", "}":
      guard let frame = operators.last?.frame, frame.end == sign, frame.commas == 0 else {
        throw expectedOperand(token)
      }
      switch frame.kind {
      case .list, .call: try close(token)
      default: throw expectedOperand(token)
      }
      return false
    default: throw expectedOperand(token)
    }
    return true
  }

  /// A word of the grammar, or the name of a property.
  private mutating func takeWord(_ name: String, _ token: FormatToken) throws -> Bool {
    let isCall = lexer.isNext("(")
    switch name.uppercased() {
    case "NIL", "NULL": try push(.value(.value(.null)), token.start)
    case "TRUE", "YES": try push(.value(.value(.integer(1))), token.start)
    case "FALSE", "NO": try push(.value(.value(.integer(0))), token.start)
    case "TRUEPREDICATE": operands.append(try FormatOperand(.constant(true), token.start))
    case "FALSEPREDICATE": operands.append(try FormatOperand(.constant(false), token.start))
    case "SELF":
      try checkRoot("SELF", token)
      try push(.value(.property(PropertyPath(steps: []))), token.start)
    case "NOT": return takePrefix(.not, token)
    case "ANY", "SOME": return takePrefix(.quantifier(.any), token)
    case "ALL": return takePrefix(.quantifier(.all), token)
    case "NONE": return takePrefix(.quantifier(.none), token)
    case "SUBQUERY" where isCall: return try openBrackets(.subquery, token)
    case "TERNARY" where isCall: return try openBrackets(.ternary, token)
    case "CAST" where isCall: return try openBrackets(.cast, token)
    case "FUNCTION" where isCall: return try openBrackets(.method, token)
    case "AND", "OR", "IN", "BETWEEN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH":
      throw expectedOperand(token)
    default:
      if isCall { return try openCall(name, token) }
      try pushName(name, token)
    }
    return false
  }

  private mutating func takePrefix(_ kind: FormatOperator.Kind, _ token: FormatToken) -> Bool {
    operators.append(FormatOperator(kind: kind, start: token.start))
    return true
  }

  private mutating func openCall(_ name: String, _ token: FormatToken) throws -> Bool {
    try FormatFunction.check(name, token.start)
    return try openBrackets(.call(name), token)
  }

  private mutating func openBrackets(
    _ kind: FormatFrame.Kind, _ token: FormatToken
  ) throws -> Bool {
    let bracket = try lexer.next()
    guard bracket.isSign("(") else { throw FormatMistake.expected("\"(\"", bracket, in: lexer) }
    try open(kind, token)
    return true
  }

  private mutating func pushName(_ name: String, _ token: FormatToken) throws {
    try checkRoot(name, token)
    try push(.value(.property(PropertyPath(steps: [name]))), token.start)
  }

  /// A number without its sign: the smallest integer has a greater one than the largest.
  private mutating func pushNumber(_ magnitude: UInt64, _ token: FormatToken) throws {
    if magnitude == Int64.min.magnitude, case .minus? = operators.last?.kind {
      let minus = operators.removeLast()
      return try push(.value(.value(.integer(.min))), minus.start)
    }
    guard let number = Int64(exactly: magnitude) else {
      throw FormatMistake.tooLarge(token.start)
    }
    try push(.value(.value(.integer(number))), token.start)
  }

  /// Within a SUBQUERY the names of properties begin with its variable.
  private func checkRoot(_ name: String, _ token: FormatToken) throws {
    guard case .variable(let variable)? = roots.last else { return }
    throw FormatMistake(
      "\(name) is of no object that the SUBQUERY goes through", token.start,
      hint: "Write $\(variable)\(name == "SELF" ? "" : ".\(name)"); other objects are out of reach."
    )
  }

  /// A variable of a SUBQUERY, or one that has a value.
  private mutating func pushVariable(_ name: String, _ token: FormatToken) throws {
    if case .variable(name)? = roots.last {
      return try push(.value(.property(PropertyPath(steps: []))), token.start)
    }
    let isOuter = roots.contains { if case .variable(name) = $0 { true } else { false } }
    if isOuter {
      throw FormatMistake(
        "$\(name) is the variable of a SUBQUERY further out", token.start,
        hint: "A SUBQUERY asks of its own objects alone.")
    }
    guard let value = variables[name] else {
      throw FormatMistake(
        "the variable $\(name) has no value", token.start,
        hint: Suggestion.hint(for: name, among: variables.keys.sorted()),
        code: .queryTypeMismatch)
    }
    guard let argument = FormatArgument(value) else {
      throw wrong("the value of $\(name)", value, token)
    }
    operands.append(operand(argument, token.start))
  }
}
