extension FormatParser {
  /// Takes a comma: the end of one part.
  mutating func takeComma(_ token: FormatToken) throws {
    try reduceToFrame()
    guard let last = operators.last, var frame = last.frame, frame.takesComma else {
      throw expectedOperator(token)
    }
    operators.removeLast()
    frame.commas += 1
    if case .subquery = frame.kind { try takeVariable(&frame) }
    operators.append(FormatOperator(kind: .frame(frame), start: last.start))
  }

  /// The variable of a SUBQUERY, and the comma behind it.
  private mutating func takeVariable(_ frame: inout FormatFrame) throws {
    guard let operand = operands.last, operand.path != nil else {
      throw FormatMistake("expected the path of a relationship", operands.last?.start ?? 0)
    }
    let token = try lexer.next()
    guard case .variable(let name) = token.kind else {
      throw FormatMistake.expected("a variable such as $x", token, in: lexer)
    }
    let comma = try lexer.next()
    guard comma.isSign(",") else { throw FormatMistake.expected("a comma", comma, in: lexer) }
    frame.commas += 1
    roots.append(.variable(name))
  }

  /// Takes a closing bracket.
  mutating func close(_ token: FormatToken) throws {
    try reduceToFrame()
    guard let last = operators.last, let frame = last.frame, token.isSign(frame.end) else {
      throw expectedOperator(token)
    }
    operators.removeLast()
    if frame.nests { level -= 1 }
    let parts = Array(operands[frame.base...])
    operands.removeSubrange(frame.base...)
    try push(frame, parts, last.start, token)
  }

  private mutating func push(
    _ frame: FormatFrame, _ parts: [FormatOperand], _ start: Int, _ token: FormatToken
  ) throws {
    switch frame.kind {
    case .group:
      var operand = parts[0]
      operand.isClosed = true
      operands.append(operand)
    case .list:
      for part in parts {
        if case .list = part.content {
          throw FormatMistake("a list stands in a list", part.start)
        }
        if case .object = part.content { continue }
        _ = try part.expression()
      }
      try push(.list(parts), depth: parts.lazy.map(\.depth).max() ?? 0, start)
    case .call(let name):
      operands.append(try FormatFunction.call(name, parts, start))
    case .ternary:
      guard parts.count == 3 else { throw missing("TERNARY", 3, token) }
      try push(
        .value(
          .conditional(parts[0].condition(), parts[1].expression(), parts[2].expression())),
        depth: 1 + parts.map(\.depth).reduce(0, max), start)
    case .cast:
      guard parts.count == 2 else { throw missing("CAST", 2, token) }
      operands.append(try FormatCast.cast(parts[0], parts[1], start))
    case .method: operands.append(try FormatFunction.method(parts, start))
    case .subquery: try push(subquery: parts, frame, start, token)
    case .gathering(let gathering):
      roots.removeLast()
      try push(
        .value(
          .aggregate(
            gathering.aggregate, of: gathering.path, parts[0].expression(),
            where: gathering.condition)),
        depth: 1 + max(parts[0].depth, gathering.condition?.depth ?? 0), start)
    }
  }

  private mutating func push(
    subquery parts: [FormatOperand], _ frame: FormatFrame, _ start: Int, _ token: FormatToken
  ) throws {
    guard frame.commas == 2, parts.count == 2, let path = parts[0].path else {
      throw missing("SUBQUERY", 3, token)
    }
    roots.removeLast()
    try push(.subquery(path, parts[1].condition()), depth: 1 + parts[1].depth, start)
  }

  private func missing(_ name: String, _ count: Int, _ token: FormatToken) -> FormatMistake {
    FormatMistake("\(name) takes \(count) parts between commas", token.start)
  }
}
