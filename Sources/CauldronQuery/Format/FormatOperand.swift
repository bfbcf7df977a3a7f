import CauldronModel

/// What a parser has read of a condition: a value, or a whole condition.
struct FormatOperand {
  var content: Content
  /// How many expressions and conditions lie within one another.
  var depth: Int
  /// Where it begins.
  let start: Int
  /// Whether it stands in parentheses, so that no path goes on from it.
  var isClosed = false

  enum Content {
    case value(QueryExpression)
    case object(ManagedObjectID)
    case list([FormatOperand])
    case range(AttributeScalar, AttributeScalar)
    /// `skills.@sum`, of which more may follow.
    case gathering(FormatGathering)
    case subquery(PropertyPath, PredicateNode)
    case condition(PredicateNode)
  }

  init(_ content: Content, depth: Int = 0, _ start: Int) {
    self.content = content
    self.depth = depth
    self.start = start
  }

  /// A condition; its depth is that of the tree.
  init(_ node: PredicateNode, _ start: Int) throws {
    self.init(.condition(node), depth: node.depth, start)
    try check()
  }

  /// - Throws: A mistake where the tree would be too deep.
  func check() throws {
    if depth > PredicateJunction.greatestDepth { throw FormatMistake.tooDeep(start) }
  }

  /// The value, or what is wrong with the operand as one.
  func expression() throws -> QueryExpression {
    switch content {
    case .value(let expression): return expression
    case .gathering(let gathering): return try gathering.expression(start)
    case .object:
      throw FormatMistake("an object is compared with objects alone", start)
    case .list, .range:
      throw FormatMistake("a list stands where one value is expected", start)
    case .subquery:
      throw FormatMistake("expected .@count behind a SUBQUERY", start)
    case .condition:
      throw FormatMistake("a condition stands where a value is expected", start)
    }
  }

  /// The condition, or what is missing to make one of the operand.
  func condition() throws -> PredicateNode {
    if case .condition(let node) = content { return node }
    let hint: String
    switch content {
    case .value(.property(let path)): hint = "For a truth value write \(path.formatText) == YES."
    default: hint = ""
    }
    throw FormatMistake("a value stands where a condition is expected", start, hint: hint)
  }

  /// The path of a property; nil for other operands.
  var path: PropertyPath? {
    if case .value(.property(let path)) = content { path } else { nil }
  }

  /// A path that leads to an object: `objectID` at its end changes nothing.
  var objectPath: PropertyPath? {
    guard let path else { return nil }
    return path.steps.last == "objectID" ? PropertyPath(steps: Array(path.steps.dropLast())) : path
  }

  /// Whether it can be nothing but an object.
  var isObject: Bool {
    guard let path else { return false }
    return path.steps.isEmpty || path.steps.last == "objectID"
  }

  /// The value of a constant; nil for other operands.
  var scalar: AttributeScalar? {
    if case .value(.value(let scalar)) = content { scalar } else { nil }
  }
}

/// What is gathered from the objects of a relationship, as far as it was read.
struct FormatGathering {
  let aggregate: QueryExpression.Aggregate
  let path: PropertyPath
  let condition: PredicateNode?
  /// The property that is gathered.
  var steps: [String] = []

  func expression(_ start: Int) throws -> QueryExpression {
    if steps.isEmpty, aggregate != .count {
      throw FormatMistake("expected a property behind @\(aggregate.rawValue)", start)
    }
    let value = steps.isEmpty ? nil : QueryExpression.property(PropertyPath(steps: steps))
    return .aggregate(aggregate, of: path, value, where: condition)
  }
}
