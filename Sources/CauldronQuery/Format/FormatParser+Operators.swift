import CauldronModel

extension FormatParser {
  /// Takes what stands behind a whole operand.
  /// - Returns: Whether another one is to come.
  mutating func takeOperator(_ token: FormatToken) throws -> Bool {
    switch token.kind {
    case .sign("."): return try takeStep()
    case .sign("["):
      try takeIndex()
      return false
    case .sign(","):
      try takeComma(token)
      return true
    case .sign(")"), .sign("}"):
      try close(token)
      return false
    case .sign(":="):
      throw FormatMistake.meaningless("an assignment", at: token.start, hint: "Compare with ==.")
    default: break
    }
    guard let kind = try binary(token) else { throw expectedOperator(token) }
    let pending = FormatOperator(kind: kind, start: token.start)
    // From the right, as mathematics has it.
    let isPower = if case .power = kind { true } else { false }
    try reduce(to: pending.precedence + (isPower ? 1 : 0))
    operators.append(pending)
    return true
  }

  /// The operator between two operands.
  private mutating func binary(_ token: FormatToken) throws -> FormatOperator.Kind? {
    if case .sign(let sign) = token.kind {
      switch sign {
      case "+": return .arithmetic(.add)
      case "-": return .arithmetic(.subtract)
      case "*": return .arithmetic(.multiply)
      case "/": return .arithmetic(.divide)
      case "&": return .arithmetic(.bitAnd)
      case "|": return .arithmetic(.bitOr)
      case "^": return .arithmetic(.bitXor)
      case "**": return .power
      case "&&": return .and
      case "||": return .or
      default: break
      }
    }
    switch token.keyword {
    case "AND": return .and
    case "OR": return .or
    default: break
    }
    guard var comparison = comparison(token) else { return nil }
    comparison.options = try takeOptions()
    return .comparison(comparison)
  }

  /// A comparison, also with NOT before a word: `name NOT IN {1, 2}`.
  private mutating func comparison(_ token: FormatToken) -> FormatComparison? {
    guard token.keyword == "NOT" else { return FormatComparison(token) }
    var ahead = lexer
    guard let next = try? ahead.next(), next.keyword != nil,
      var comparison = FormatComparison(next)
    else { return nil }
    comparison.isNegated = true
    lexer = ahead
    return comparison
  }

  /// `[cd]` behind a comparison.
  private mutating func takeOptions() throws -> TextOptions {
    guard lexer.isNext("[") else { return [] }
    let bracket = try lexer.next()
    var options: TextOptions = []
    var isExact = false
    while let scalar = lexer.peek(), scalar != "]" {
      switch scalar {
      case "c", "C": options.insert(.ignoringCase)
      case "d", "D": options.insert(.ignoringDiacritics)
      case "n", "N": isExact = true
      case "l", "L":
        throw FormatMistake.meaningless(
          "the option l", at: lexer.offset,
          hint: "Texts are compared alike in every place of the world: [cd], or nothing.")
      default: throw FormatMistake.expected("an option: c, d or n", in: lexer)
      }
      lexer.offset += 1
    }
    guard lexer.peek() == "]" else {
      throw FormatMistake("options that begin with [ and do not end", bracket.start)
    }
    lexer.offset += 1
    // Byte by byte is how texts are compared without options.
    return isExact ? [] : options
  }

  /// Applies an operator to the last operands.
  mutating func apply(_ pending: FormatOperator) throws {
    let right = operands.removeLast()
    switch pending.kind {
    case .not: operands.append(try FormatOperand(.not(right.condition()), pending.start))
    case .quantifier(let quantifier):
      let node = PredicateNode.quantified(
        quantifier, PropertyPath(steps: []), try right.condition())
      operands.append(try FormatOperand(node, pending.start))
    case .minus: try negate(right, at: pending)
    case .and: try join(right) { .and([$0, $1]) }
    case .or: try join(right) { .or([$0, $1]) }
    case .comparison(let comparison):
      let left = operands.removeLast()
      operands.append(
        try FormatOperand(comparison.node(of: left, with: right, at: pending.start), left.start))
    case .arithmetic(let operation): try calculate(operation, with: right)
    case .power: try raise(to: right, at: pending)
    case .frame: break
    }
  }

  private mutating func join(
    _ right: FormatOperand, by join: (PredicateNode, PredicateNode) -> PredicateNode
  ) throws {
    let left = operands.removeLast()
    operands.append(
      try FormatOperand(join(left.condition(), right.condition()), left.start))
  }

  private mutating func calculate(
    _ operation: QueryExpression.Arithmetic, with right: FormatOperand
  ) throws {
    let left = operands.removeLast()
    try push(
      .value(.arithmetic(operation, left.expression(), right.expression())),
      depth: 1 + max(left.depth, right.depth), at: left.start)
  }

  private mutating func negate(_ operand: FormatOperand, at minus: FormatOperator) throws {
    switch operand.content {
    case .value(.value(.integer(let number))) where number != .min:
      try push(.value(.value(.integer(-number))), at: minus.start)
    case .value(.value(.real(let number))):
      try push(.value(.value(.real(-number))), at: minus.start)
    default:
      let opposite = QueryExpression.arithmetic(
        .subtract, .value(.integer(0)), try operand.expression())
      try push(.value(opposite), depth: 1 + operand.depth, at: minus.start)
    }
  }

  /// Powers are of numbers that are spelt out.
  private mutating func raise(to right: FormatOperand, at power: FormatOperator) throws {
    let left = operands.removeLast()
    let result = try FormatFunction.power(left, to: right, at: power.start)
    try push(.value(.value(result)), at: left.start)
  }
}
