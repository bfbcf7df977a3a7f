extension FormatParser {
  /// Takes what stands behind a point.
  /// - Returns: Whether an operand is still to come, in parentheses.
  mutating func takeStep() throws -> Bool {
    let token = try lexer.next()
    switch token.kind {
    case .name(let name, _): try append(name, token)
    case .gathering(let name): try append("@" + name, token)
    case .argument(.key): try appendKey(token)
    case .sign("("):
      guard case .gathering(let gathering)? = operands.last?.content, gathering.steps.isEmpty else {
        throw FormatMistake.expected("the name of a property", token, in: lexer)
      }
      operands.removeLast()
      try open(.gathering(gathering), token)
      roots.append(.gathered)
      return true
    default: throw FormatMistake.expected("the name of a property", token, in: lexer)
    }
    return false
  }

  /// Appends a step to the path of the last operand.
  mutating func append(_ step: String, _ token: FormatToken) throws {
    var operand = operands.removeLast()
    if step.first == "@" {
      operand.content = try .gathering(gathering(step, operand, token))
    } else {
      switch operand.content {
      case .value(.property(let path)) where !operand.isClosed:
        operand.content = .value(.property(path.appending(step)))
      case .gathering(var gathering) where !operand.isClosed:
        gathering.steps.append(step)
        operand.content = .gathering(gathering)
      case .object:
        throw FormatMistake(
          "a property of an object that is given", token.start,
          hint: "Give the property's value in the place of the object.")
      default:
        throw FormatMistake(
          "\(step) is a property of no object", token.start,
          hint: "Only paths, such as employer.name, have properties.")
      }
    }
    operands.append(operand)
  }

  private static let aggregates = ["@count", "@sum", "@avg", "@min", "@max"]

  private func gathering(
    _ step: String, _ operand: FormatOperand, _ token: FormatToken
  ) throws -> FormatGathering {
    guard let aggregate = QueryExpression.Aggregate(rawValue: String(step.dropFirst())) else {
      if step.lowercased().contains("union") || step == "@distinct" {
        throw FormatMistake.meaningless(
          step, token.start, hint: "Gather with @count, @sum, @avg, @min or @max.")
      }
      throw FormatMistake(
        "unknown \(step)", token.start, hint: Suggestion.hint(for: step, among: Self.aggregates))
    }
    switch operand.content {
    case .value(.property(let path)) where !operand.isClosed:
      return FormatGathering(aggregate: aggregate, path: path, condition: nil)
    case .subquery(let path, let condition):
      return FormatGathering(aggregate: aggregate, path: path, condition: condition)
    default:
      throw FormatMistake("\(step) is of a to-many relationship alone", token.start)
    }
  }

  /// Takes what stands in brackets behind an operand.
  mutating func takeIndex() throws {
    let token = try lexer.next()
    guard token.keyword == "SIZE", let path = operands.last?.path else {
      throw FormatMistake.meaningless(
        "an object by its place", token.start,
        hint: "Only [SIZE] of a relationship is known; ask with ANY, or fetch and look.")
    }
    let bracket = try lexer.next()
    guard bracket.isSign("]") else { throw FormatMistake.expected("\"]\"", bracket, in: lexer) }
    let start = operands.removeLast().start
    let gathering = FormatGathering(aggregate: .count, path: path, condition: nil)
    try push(.gathering(gathering), depth: 1, start)
  }
}
