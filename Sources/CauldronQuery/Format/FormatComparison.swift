import CauldronModel

/// A comparison as a format string writes it, and what it means for its two sides.
struct FormatComparison {
  let kind: Kind
  var options: TextOptions = []
  /// Whether NOT stands before it.
  var isNegated = false

  enum Kind {
    case compare(PredicateNode.ComparisonOperator)
    case text(PredicateNode.TextOperator)
    case isIn
    case between
  }

  /// - Returns: Nil where a token is no comparison.
  init?(_ token: FormatToken) {
    if case .sign(let sign) = token.kind, let comparison = Self.signs[sign] {
      kind = .compare(comparison)
    } else if let word = token.keyword, let known = Self.words[word] {
      kind = known
    } else {
      return nil
    }
  }

  private static let signs: [String: PredicateNode.ComparisonOperator] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  private static let words: [String: Kind] = [
    "IN": .isIn, "BETWEEN": .between, "BEGINSWITH": .text(.beginsWith),
    "CONTAINS": .text(.contains), "ENDSWITH": .text(.endsWith), "LIKE": .text(.like),
    "MATCHES": .text(.matches),
  ]

  /// The condition.
  /// - Parameter start: Where the comparison stands.
  func node(
    of left: FormatOperand, with right: FormatOperand, at start: Int
  ) throws -> PredicateNode {
    let node = try plainNode(of: left, with: right, at: start)
    return isNegated ? .not(node) : node
  }

  private func plainNode(
    of left: FormatOperand, with right: FormatOperand, at start: Int
  ) throws -> PredicateNode {
    switch kind {
    case .compare(let comparison): return try compare(left, by: comparison, with: right, at: start)
    case .text(let search): return try self.search(left, by: search, for: right)
    case .isIn: return try isIn(left, right)
    case .between: return try between(left, bounds: right)
    }
  }

  private func compare(
    _ left: FormatOperand, by comparison: PredicateNode.ComparisonOperator,
    with right: FormatOperand, at start: Int
  ) throws -> PredicateNode {
    if case .object(let id) = right.content {
      return try object(left, by: comparison, with: id, at: start)
    }
    if case .object(let id) = left.content {
      return try object(right, by: comparison, with: id, at: start)
    }
    let a = try left.expression()
    let b = try right.expression()
    if options.isEmpty {
      if let some = existence(of: left, by: comparison, with: b) { return some }
      if let path = left.path, b == .value(.null) {
        if comparison == .equal { return .isNil(path) }
        if comparison == .notEqual { return .not(.isNil(path)) }
      }
    }
    return .comparison(a, comparison, b, options)
  }

  /// `SUBQUERY(…).@count > 0` asks whether there is an object.
  private func existence(
    of left: FormatOperand, by comparison: PredicateNode.ComparisonOperator, with b: QueryExpression
  ) -> PredicateNode? {
    guard case .gathering(let gathering) = left.content, gathering.aggregate == .count,
      gathering.steps.isEmpty, !gathering.path.steps.isEmpty,
      let condition = gathering.condition, case .value(.integer(let number)) = b
    else { return nil }
    switch (comparison, number) {
    case (.greater, 0), (.notEqual, 0), (.greaterOrEqual, 1):
      return .quantified(.any, gathering.path, condition)
    case (.equal, 0), (.lessOrEqual, 0), (.less, 1):
      if case .joined(let junction) = condition, junction.isNegated {
        return .quantified(.all, gathering.path, .not(condition))
      }
      return .quantified(.none, gathering.path, condition)
    default: return nil
    }
  }

  /// A path, or the object itself, with an object.
  private func object(
    _ operand: FormatOperand, by comparison: PredicateNode.ComparisonOperator,
    with id: ManagedObjectID, at start: Int
  ) throws -> PredicateNode {
    guard comparison == .equal || comparison == .notEqual else {
      throw FormatMistake("objects have no order", start, code: .queryTypeMismatch)
    }
    let node = try refers(operand, to: [id])
    return comparison == .equal ? node : .not(node)
  }

  private func refers(
    _ operand: FormatOperand, to ids: [ManagedObjectID]
  ) throws -> PredicateNode {
    if case .object(let id) = operand.content { return .constant(ids.contains(id)) }
    if operand.scalar == .null { return .constant(false) }
    guard let path = operand.objectPath else {
      throw FormatMistake(
        "an object is compared with the path of a relationship, or with SELF", operand.start,
        code: .queryTypeMismatch)
    }
    return path.steps.isEmpty ? .isSelf(ids) : .refersTo(path, ids)
  }

  private func search(
    _ left: FormatOperand, by search: PredicateNode.TextOperator, for right: FormatOperand
  ) throws -> PredicateNode {
    if search == .contains {
      if case .object(let id) = right.content { return try refers(left, to: [id]) }
      switch left.content {
      case .list, .range: return try isIn(right, left)
      default: break
      }
    }
    return .text(try left.expression(), search, try right.expression(), options)
  }

  private func isIn(_ value: FormatOperand, _ list: FormatOperand) throws -> PredicateNode {
    switch list.content {
    case .list(let items): return try isIn(value, items)
    case .range(let low, let high):
      return between(try value.expression(), least: .value(low), most: .value(high))
    case .value, .gathering:
      if case .object(let id) = value.content { return try refers(list, to: [id]) }
      return .text(try list.expression(), .contains, try value.expression(), options)
    case .object, .subquery, .condition:
      throw FormatMistake("expected a list such as {1, 2}", list.start)
    }
  }

  private func isIn(_ value: FormatOperand, _ items: [FormatOperand]) throws -> PredicateNode {
    let scalars = items.compactMap(\.scalar)
    if scalars.count == items.count, !value.isObject {
      return .isIn(try value.expression(), scalars, options)
    }
    let ids = items.compactMap { item -> ManagedObjectID? in
      if case .object(let id) = item.content { id } else { nil }
    }
    var nodes = ids.isEmpty ? [] : [try refers(value, to: ids)]
    for item in items {
      if case .object = item.content { continue }
      if item.scalar == .null, let path = value.objectPath, !path.steps.isEmpty {
        nodes.append(.isNil(path))
      } else {
        nodes.append(
          .comparison(try value.expression(), .equal, try item.expression(), options))
      }
    }
    return nodes.isEmpty ? try refers(value, to: []) : .or(nodes)
  }

  private func between(_ value: FormatOperand, bounds list: FormatOperand) throws -> PredicateNode {
    let expression = try value.expression()
    switch list.content {
    case .range(let low, let high):
      return between(expression, least: .value(low), most: .value(high))
    case .list(let items) where items.count == 2:
      return between(expression, least: try items[0].expression(), most: try items[1].expression())
    default:
      throw FormatMistake(
        "expected a list of two values, such as {1, 5}", list.start, code: .queryTypeMismatch)
    }
  }

  private func between(
    _ value: QueryExpression, least: QueryExpression, most: QueryExpression
  ) -> PredicateNode {
    .and([
      .comparison(value, .greaterOrEqual, least, options),
      .comparison(value, .lessOrEqual, most, options),
    ])
  }
}
