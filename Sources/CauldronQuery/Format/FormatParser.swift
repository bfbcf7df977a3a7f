import CauldronModel
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
  mutating func open(_ kind: FormatFrame.Kind, at token: FormatToken) throws {
    let frame = FormatFrame(kind: kind, base: operands.count)
    if frame.nests { level += 1 }
    if level > PredicateJunction.greatestDepth { throw FormatMistake.tooDeep(token.start) }
    operators.append(FormatOperator(kind: .frame(frame), start: token.start))
  }

  mutating func push(
    _ content: FormatOperand.Content, depth: Int = 0, at start: Int
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
    return .expected(what, at: token, in: lexer, hint: hint)
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
    if token.keyword == "NOT" { hint = "For the opposite write NOT (name == 1)." }
    return .expected(what, at: token, in: lexer, hint: hint)
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
      throw FormatMistake.expected("a variable such as $x", at: token, in: lexer)
    }
    let comma = try lexer.next()
    guard comma.isSign(",") else { throw FormatMistake.expected("a comma", at: comma, in: lexer) }
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
    try push(frame, with: parts, from: last.start, at: token)
  }

  private mutating func push(
    _ frame: FormatFrame, with parts: [FormatOperand], from start: Int, at token: FormatToken
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
      try push(.list(parts), depth: parts.lazy.map(\.depth).max() ?? 0, at: start)
    case .call(let name):
      operands.append(try FormatFunction.call(name, with: parts, at: start))
    case .ternary:
      guard parts.count == 3 else { throw missing("TERNARY", count: 3, at: token) }
      try push(
        .value(
          .conditional(parts[0].condition(), parts[1].expression(), parts[2].expression())),
        depth: 1 + parts.map(\.depth).reduce(0, max), at: start)
    case .cast:
      guard parts.count == 2 else { throw missing("CAST", count: 2, at: token) }
      operands.append(try FormatCast.cast(parts[0], to: parts[1], at: start))
    case .method: operands.append(try FormatFunction.method(parts, at: start))
    case .subquery: try push(subquery: parts, in: frame, from: start, at: token)
    case .gathering(let gathering):
      roots.removeLast()
      try push(
        .value(
          .aggregate(
            gathering.aggregate, of: gathering.path, parts[0].expression(),
            where: gathering.condition)),
        depth: 1 + max(parts[0].depth, gathering.condition?.depth ?? 0), at: start)
    }
  }

  private mutating func push(
    subquery parts: [FormatOperand], in frame: FormatFrame, from start: Int, at token: FormatToken
  ) throws {
    guard frame.commas == 2, parts.count == 2, let path = parts[0].path else {
      throw missing("SUBQUERY", count: 3, at: token)
    }
    roots.removeLast()
    try push(.subquery(path, parts[1].condition()), depth: 1 + parts[1].depth, at: start)
  }

  private func missing(_ name: String, count: Int, at token: FormatToken) -> FormatMistake {
    FormatMistake("\(name) takes \(count) parts between commas", token.start)
  }
}

extension PredicateNode {
  /// Reads a condition from a format string: Core Data's grammar, with arguments.
  ///
  /// ```swift
  /// var request = FetchRequest<Person>()
  /// request.predicate = try PredicateNode(
  ///   format: "age >= %@ AND ANY skills.name BEGINSWITH[cd] %@", 18, "sw")
  /// ```
  /// Arguments are values and never text of the condition, whatever they hold. What is understood is in
  /// the table of <doc:Queries>. Keys are checked by the fetch.
  /// - Parameters:
  ///   - format: The condition.
  ///   - arguments: One for each `%@`, `%K`, `%d`, `%f` and `%s`, in their order: values of attributes,
  ///     cases of enumerations, objects and their IDs, lists of these, closed ranges for BETWEEN, and
  ///     nil. `%K` takes the name of a property, or a path.
  /// - Throws: `query.unsupported` with the position of what is not understood, `query.typeMismatch`
  ///   for an argument that is missing, left over or of a wrong type, `query.tooDeep`.
  /// - Complexity: O(length).
  public init(format: String, _ arguments: Any?...) throws {
    try self.init(format: format, arguments: arguments)
  }

  /// Reads a condition from a format string, with the arguments in a list, and values for its variables.
  ///
  /// ```swift
  /// try PredicateNode(format: "age >= $least", arguments: [], variables: ["least": 18])
  /// ```
  /// - Parameter variables: The values of `$least` and the like, by their names without the sign.
  /// - Throws: As ``init(format:_:)``; also where a variable has no value.
  public init(
    format: String, arguments: [Any?], variables: [String: Any?] = [:]
  ) throws {
    var parser = FormatParser(format, arguments, variables)
    do {
      self = try parser.read().condition()
    } catch let mistake as FormatMistake {
      throw mistake.error("condition", in: format)
    }
  }
}

extension QueryExpression {
  /// Reads a value from a format string, such as `price * (1 + %@)`: to sort by it, or to select it.
  ///
  /// ```swift
  /// request.sortKeys = [SortKey(try QueryExpression(format: "skills.@count"), ascending: false)]
  /// ```
  /// - Throws: As ``PredicateNode/init(format:_:)``.
  /// - Complexity: O(length).
  public init(format: String, _ arguments: Any?...) throws {
    var parser = FormatParser(format, arguments, [:])
    do {
      self = try parser.read().expression()
    } catch let mistake as FormatMistake {
      throw mistake.error("expression", in: format)
    }
  }
}
