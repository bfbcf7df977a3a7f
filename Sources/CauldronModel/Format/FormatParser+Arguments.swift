extension FormatParser {
  /// Takes the next argument.
  mutating func pushArgument(
    _ conversion: FormatToken.Conversion, _ token: FormatToken
  ) throws {
    let (argument, value) = try takeArgument(conversion, token)
    if conversion == .key {
      let steps = try keySteps(argument, value, token)
      if !steps.isEmpty, case .variable? = roots.last {
        throw FormatMistake(
          "a key is of no object that the SUBQUERY goes through", token.start,
          hint: "Write it behind the variable: $x.%K.")
      }
      try push(.value(.property(PropertyPath(steps: []))), token.start)
      for step in steps { try append(step, token) }
      return
    }
    operands.append(operand(argument, token.start))
  }

  /// The steps of a key, in an operand's path.
  mutating func appendKey(_ token: FormatToken) throws {
    let (argument, value) = try takeArgument(.key, token)
    for step in try keySteps(argument, value, token) { try append(step, token) }
  }

  private mutating func takeArgument(
    _ conversion: FormatToken.Conversion, _ token: FormatToken
  ) throws -> (FormatArgument, Any?) {
    guard used < arguments.count else {
      throw FormatMistake(
        "argument \(used + 1) is missing for \(conversion.rawValue)", token.start,
        code: .queryTypeMismatch)
    }
    let value = arguments[used]
    used += 1
    guard let argument = FormatArgument(value) else {
      throw wrong("argument \(used)", value, token)
    }
    let isRight =
      switch (conversion, argument) {
      case (.value, _), (.key, _), (.integer, .scalar(.integer)), (.real, .scalar(.integer)),
        (.real, .scalar(.real)), (.text, .scalar(.text)):
        true
      default: false
      }
    guard isRight else { throw wrong("argument \(used)", value, token, conversion) }
    if conversion == .real, case .scalar(.integer(let number)) = argument {
      return (.scalar(.real(Double(number))), value)
    }
    return (argument, value)
  }

  /// What is wrong with an argument, or with the value of a variable.
  func wrong(
    _ name: String, _ value: Any?, _ token: FormatToken,
    _ conversion: FormatToken.Conversion = .value
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
    _ argument: FormatArgument, _ value: Any?, _ token: FormatToken
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
    default: throw wrong("argument \(used)", value, token, .key)
    }
  }

  /// An argument as an operand.
  func operand(_ argument: FormatArgument, _ start: Int) -> FormatOperand {
    switch argument {
    case .scalar(let scalar): return FormatOperand(.value(.value(scalar)), start)
    case .object(let id): return FormatOperand(.object(id), start)
    case .list(let items):
      return FormatOperand(.list(items.map { operand($0, start) }), start)
    case .range(let low, let high): return FormatOperand(.range(low, high), start)
    case .expression(let expression):
      return FormatOperand(.value(expression), depth: expression.depth, start)
    }
  }
}
