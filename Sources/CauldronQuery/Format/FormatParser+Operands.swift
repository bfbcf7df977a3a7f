import CauldronModel

extension FormatParser {
  /// Takes what a value or a condition begins with.
  /// - Returns: Whether one is still to come.
  mutating func takeOperand(_ token: FormatToken) throws -> Bool {
    switch token.kind {
    case .integer(let magnitude): try pushNumber(magnitude, at: token)
    case .real(let number): try push(.value(.value(.real(number))), at: token.start)
    case .text(let text): try push(.value(.value(.text(text))), at: token.start)
    case .argument(let conversion): try pushArgument(conversion, at: token)
    case .variable(let name): try pushVariable(name, at: token)
    case .function(let name): return try openCall(name, at: token)
    case .name(let name, isEscaped: true): try pushName(name, at: token)
    case .name(let name, isEscaped: false): return try takeWord(name, at: token)
    case .sign(let sign): return try takePrefix(sign, at: token)
    case .gathering, .end: throw expectedOperand(token)
    }
    return false
  }

  /// A sign before an operand, or the end of an empty list.
  private mutating func takePrefix(_ sign: String, at token: FormatToken) throws -> Bool {
    switch sign {
    case "(": try open(.group, at: token)
    case "{": try open(.list, at: token)
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
  private mutating func takeWord(_ name: String, at token: FormatToken) throws -> Bool {
    let isCall = lexer.isNext("(")
    switch name.uppercased() {
    case "NIL", "NULL": try push(.value(.value(.null)), at: token.start)
    case "TRUE", "YES": try push(.value(.value(.integer(1))), at: token.start)
    case "FALSE", "NO": try push(.value(.value(.integer(0))), at: token.start)
    case "TRUEPREDICATE": operands.append(try FormatOperand(.constant(true), token.start))
    case "FALSEPREDICATE": operands.append(try FormatOperand(.constant(false), token.start))
    case "SELF":
      try checkRoot("SELF", at: token)
      try push(.value(.property(PropertyPath(steps: []))), at: token.start)
    case "NOT": return takePrefix(.not, at: token)
    case "ANY", "SOME": return takePrefix(.quantifier(.any), at: token)
    case "ALL": return takePrefix(.quantifier(.all), at: token)
    case "NONE": return takePrefix(.quantifier(.none), at: token)
    case "SUBQUERY" where isCall: return try openBrackets(.subquery, at: token)
    case "TERNARY" where isCall: return try openBrackets(.ternary, at: token)
    case "CAST" where isCall: return try openBrackets(.cast, at: token)
    case "FUNCTION" where isCall: return try openBrackets(.method, at: token)
    case "AND", "OR", "IN", "BETWEEN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH":
      throw expectedOperand(token)
    default:
      if isCall { return try openCall(name, at: token) }
      try pushName(name, at: token)
    }
    return false
  }

  private mutating func takePrefix(_ kind: FormatOperator.Kind, at token: FormatToken) -> Bool {
    operators.append(FormatOperator(kind: kind, start: token.start))
    return true
  }

  private mutating func openCall(_ name: String, at token: FormatToken) throws -> Bool {
    try FormatFunction.check(name, at: token.start)
    return try openBrackets(.call(name), at: token)
  }

  private mutating func openBrackets(
    _ kind: FormatFrame.Kind, at token: FormatToken
  ) throws -> Bool {
    let bracket = try lexer.next()
    guard bracket.isSign("(") else { throw FormatMistake.expected("\"(\"", at: bracket, in: lexer) }
    try open(kind, at: token)
    return true
  }

  private mutating func pushName(_ name: String, at token: FormatToken) throws {
    try checkRoot(name, at: token)
    try push(.value(.property(PropertyPath(steps: [name]))), at: token.start)
  }

  /// A number without its sign: the smallest integer has a greater one than the largest.
  private mutating func pushNumber(_ magnitude: UInt64, at token: FormatToken) throws {
    if magnitude == Int64.min.magnitude, case .minus? = operators.last?.kind {
      let minus = operators.removeLast()
      return try push(.value(.value(.integer(.min))), at: minus.start)
    }
    guard let number = Int64(exactly: magnitude) else {
      throw FormatMistake.tooLarge(token.start)
    }
    try push(.value(.value(.integer(number))), at: token.start)
  }

  /// Within a SUBQUERY the names of properties begin with its variable.
  private func checkRoot(_ name: String, at token: FormatToken) throws {
    guard case .variable(let variable)? = roots.last else { return }
    throw FormatMistake(
      "\(name) is of no object that the SUBQUERY goes through", token.start,
      hint: "Write $\(variable)\(name == "SELF" ? "" : ".\(name)"); other objects are out of reach."
    )
  }

  /// A variable of a SUBQUERY, or one that has a value.
  private mutating func pushVariable(_ name: String, at token: FormatToken) throws {
    if case .variable(name)? = roots.last {
      return try push(.value(.property(PropertyPath(steps: []))), at: token.start)
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
      throw wrong("the value of $\(name)", value: value, at: token)
    }
    operands.append(operand(argument, at: token.start))
  }
}

extension FormatParser {
  /// Takes the next argument.
  mutating func pushArgument(
    _ conversion: FormatToken.Conversion, at token: FormatToken
  ) throws {
    let (argument, value) = try takeArgument(conversion, at: token)
    if conversion == .key {
      let steps = try keySteps(of: argument, value: value, at: token)
      if !steps.isEmpty, case .variable? = roots.last {
        throw FormatMistake(
          "a key is of no object that the SUBQUERY goes through", token.start,
          hint: "Write it behind the variable: $x.%K.")
      }
      try push(.value(.property(PropertyPath(steps: []))), at: token.start)
      for step in steps { try append(step, at: token) }
      return
    }
    operands.append(operand(argument, at: token.start))
  }

  /// The steps of a key, in an operand's path.
  mutating func appendKey(_ token: FormatToken) throws {
    let (argument, value) = try takeArgument(.key, at: token)
    for step in try keySteps(of: argument, value: value, at: token) { try append(step, at: token) }
  }

  private mutating func takeArgument(
    _ conversion: FormatToken.Conversion, at token: FormatToken
  ) throws -> (FormatArgument, Any?) {
    guard used < arguments.count else {
      throw FormatMistake(
        "argument \(used + 1) is missing for \(conversion.rawValue)", token.start,
        code: .queryTypeMismatch)
    }
    let value = arguments[used]
    used += 1
    guard let argument = FormatArgument(value) else {
      throw wrong("argument \(used)", value: value, at: token)
    }
    let isRight =
      switch (conversion, argument) {
      case (.value, _), (.key, _), (.integer, .scalar(.integer)), (.real, .scalar(.integer)),
        (.real, .scalar(.real)), (.text, .scalar(.text)):
        true
      default: false
      }
    guard isRight else { throw wrong("argument \(used)", value: value, at: token, for: conversion) }
    if conversion == .real, case .scalar(.integer(let number)) = argument {
      return (.scalar(.real(Double(number))), value)
    }
    return (argument, value)
  }

  /// What is wrong with an argument, or with the value of a variable.
  func wrong(
    _ name: String, value: Any?, at token: FormatToken,
    for conversion: FormatToken.Conversion = .value
  ) -> FormatMistake {
    let wanted =
      switch conversion {
      case .value: "no value that a condition can be about"
      case .key: "no key, which %K takes"
      case .integer: "no integer, which %d takes"
      case .real: "no number, which %f takes"
      case .text: "no text, which %s takes"
      }
    let type = value.map { "of type \(Swift.type(of: $0))" } ?? "nil"
    return FormatMistake("\(name) is \(type), \(wanted)", token.start, code: .queryTypeMismatch)
  }

  private func keySteps(
    of argument: FormatArgument, value: Any?, at token: FormatToken
  ) throws -> [String] {
    switch argument {
    case .expression(.property(let path)): return path.steps
    case .scalar(.text(let text)):
      if text == "SELF" { return [] }
      let steps = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      if !steps.contains("") { return steps }
      throw FormatMistake(
        "argument \(used) is \"\(text)\", no key, which %K takes", token.start,
        code: .queryTypeMismatch)
    default: throw wrong("argument \(used)", value: value, at: token, for: .key)
    }
  }

  /// An argument as an operand.
  func operand(_ argument: FormatArgument, at start: Int) -> FormatOperand {
    switch argument {
    case .scalar(let scalar): return FormatOperand(.value(.value(scalar)), start)
    case .object(let id): return FormatOperand(.object(id), start)
    case .list(let items):
      return FormatOperand(.list(items.map { operand($0, at: start) }), start)
    case .range(let low, let high): return FormatOperand(.range(low, high), start)
    case .expression(let expression):
      return FormatOperand(.value(expression), depth: expression.depth, start)
    }
  }
}

extension FormatParser {
  /// Takes what stands behind a point.
  /// - Returns: Whether an operand is still to come, in parentheses.
  mutating func takeStep() throws -> Bool {
    let token = try lexer.next()
    switch token.kind {
    case .name(let name, _): try append(name, at: token)
    case .gathering(let name): try append("@" + name, at: token)
    case .argument(.key): try appendKey(token)
    case .sign("("):
      guard case .gathering(let gathering)? = operands.last?.content, gathering.steps.isEmpty else {
        throw FormatMistake.expected("the name of a property", at: token, in: lexer)
      }
      operands.removeLast()
      try open(.gathering(gathering), at: token)
      roots.append(.gathered)
      return true
    default: throw FormatMistake.expected("the name of a property", at: token, in: lexer)
    }
    return false
  }

  /// Appends a step to the path of the last operand.
  mutating func append(_ step: String, at token: FormatToken) throws {
    var operand = operands.removeLast()
    if step.first == "@" {
      operand.content = try .gathering(gathering(step, of: operand, at: token))
    } else {
      switch operand.content {
      case .value(.property(let path)) where !operand.isClosed:
        guard path.depth < PredicateJunction.greatestDepth else {
          throw FormatMistake.tooDeep(token.start)
        }
        operand.content = .value(.property(path.appending(step)))
      case .gathering(var gathering) where !operand.isClosed:
        // What Objective-C needs to make a number of a count changes nothing.
        if gathering.aggregate == .count, gathering.steps.isEmpty, Self.numberMethods.contains(step)
        {
          break
        }
        guard gathering.steps.count <= PredicateJunction.greatestDepth else {
          throw FormatMistake.tooDeep(token.start)
        }
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

  private static let numberMethods: Set<String> = [
    "intValue", "integerValue", "longLongValue",
  ]

  private static let aggregates = ["@count", "@sum", "@avg", "@min", "@max"]

  private func gathering(
    _ step: String, of operand: FormatOperand, at token: FormatToken
  ) throws -> FormatGathering {
    guard let aggregate = QueryExpression.Aggregate(rawValue: String(step.dropFirst())) else {
      if step.lowercased().contains("union") || step == "@distinct" {
        throw FormatMistake.meaningless(
          step, at: token.start, hint: "Gather with @count, @sum, @avg, @min or @max.")
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
        "an object by its place", at: token.start,
        hint: "Only [SIZE] of a relationship is known; ask with ANY, or fetch and look.")
    }
    let bracket = try lexer.next()
    guard bracket.isSign("]") else { throw FormatMistake.expected("\"]\"", at: bracket, in: lexer) }
    let start = operands.removeLast().start
    let gathering = FormatGathering(aggregate: .count, path: path, condition: nil)
    try push(.gathering(gathering), depth: 1, at: start)
  }
}
