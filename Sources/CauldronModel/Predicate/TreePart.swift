/// A part of a condition or an expression.
///
/// What walks over parts keeps them in a list instead of calling itself: a tree may be deeper than a
/// stack, and whoever refuses it must not run out of one.
enum TreePart {
  case node(PredicateNode)
  case expression(QueryExpression)

  /// How many junctions, quantifiers and expressions lie within one another; beyond the limit one more
  /// than that.
  /// - Complexity: O(parts).
  var depth: Int {
    let limit = PredicateJunction.greatestDepth
    var deepest = 0
    var open = [(part: self, level: 0)]
    while let (part, level) = open.popLast() {
      let below = level + part.ownDepth
      deepest = max(deepest, below)
      if deepest > limit { return limit + 1 }
      for inner in part.parts { open.append((inner, below)) }
    }
    return deepest
  }

  /// What stands for a tree that is too deep to be printed.
  static let tooDeepText = "(more than \(PredicateJunction.greatestDepth) levels)"

  /// How many levels the part adds; a junction knows that of its conditions.
  private var ownDepth: Int {
    switch self {
    case .node(.joined(let junction)): junction.depth
    case .node(.quantified): 1
    case .node: 0
    case .expression(.value), .expression(.property): 0
    case .expression: 1
    }
  }

  /// The parts directly within it, but for those of junctions.
  private var parts: [TreePart] {
    switch self {
    case .node(let node): Self.parts(node)
    case .expression(let expression): Self.parts(expression)
    }
  }

  private static func parts(_ node: PredicateNode) -> [TreePart] {
    switch node {
    case .comparison(let a, _, let b, _), .text(let a, _, let b, _):
      [.expression(a), .expression(b)]
    case .isIn(let value, _, _): [.expression(value)]
    case .quantified(_, _, let condition): [.node(condition)]
    case .constant, .isNil, .refersTo, .isSelf, .joined: []
    }
  }

  private static func parts(_ expression: QueryExpression) -> [TreePart] {
    switch expression {
    case .value, .property: []
    case .arithmetic(_, let a, let b): [.expression(a), .expression(b)]
    case .function(_, let value): [.expression(value)]
    case .aggregate(_, _, let value, let condition):
      (value.map { [.expression($0)] } ?? []) + (condition.map { [.node($0)] } ?? [])
    case .conditional(let condition, let a, let b):
      [.node(condition), .expression(a), .expression(b)]
    }
  }
}

extension PredicateNode {
  /// How many junctions, quantifiers and expressions lie within one another; beyond the limit one more
  /// than that.
  var depth: Int { TreePart.node(self).depth }

  /// Whether nobody can have meant so many levels.
  package var isTooDeep: Bool { depth > PredicateJunction.greatestDepth }
}

extension QueryExpression {
  /// How many expressions and conditions lie within one another; beyond the limit one more than that.
  var depth: Int { TreePart.expression(self).depth }

  /// Whether nobody can have meant so many levels.
  package var isTooDeep: Bool { depth > PredicateJunction.greatestDepth }
}
