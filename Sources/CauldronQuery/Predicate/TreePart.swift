import CauldronModel

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

  /// How many levels the part adds: each relationship of a path but the first is one, and a junction knows
  /// that of its conditions.
  private var ownDepth: Int {
    switch self {
    case .node(.joined(let junction)): junction.depth
    case .node(.quantified(_, let path, _)): 1 + path.depth
    case .node(.isNil(let path)), .node(.refersTo(let path, _)): path.depth
    case .node: 0
    case .expression(.value): 0
    case .expression(.property(let path)): path.depth
    case .expression(.aggregate(_, let path, _, _)): 1 + path.depth
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

extension TreePart {
  /// Whether two parts are equal, however deep they are.
  /// - Complexity: O(parts).
  static func areEqual(_ a: TreePart, _ b: TreePart) -> Bool {
    var open = [(a, b)]
    while let pair = open.popLast() {
      switch pair {
      case (.node(let a), .node(let b)):
        guard isEqual(a, to: b, open: &open) else { return false }
      case (.expression(let a), .expression(let b)):
        guard isEqual(a, to: b, open: &open) else { return false }
      default: return false
      }
    }
    return true
  }

  /// Whether two conditions are equal but for their parts, which are compared later.
  private static func isEqual(
    _ a: PredicateNode, to b: PredicateNode, open: inout [(TreePart, TreePart)]
  ) -> Bool {
    switch (a, b) {
    case (.constant(let a), .constant(let b)): return a == b
    case (.comparison(let a, let x, let b, let o), .comparison(let c, let y, let d, let p)):
      guard x == y, o == p else { return false }
      open += [(.expression(a), .expression(c)), (.expression(b), .expression(d))]
    case (.text(let a, let x, let b, let o), .text(let c, let y, let d, let p)):
      guard x == y, o == p else { return false }
      open += [(.expression(a), .expression(c)), (.expression(b), .expression(d))]
    case (.isIn(let a, let list, let o), .isIn(let b, let other, let p)):
      guard list == other, o == p else { return false }
      open.append((.expression(a), .expression(b)))
    case (.isNil(let a), .isNil(let b)): return a == b
    case (.refersTo(let path, let a), .refersTo(let other, let b)): return path == other && a == b
    case (.isSelf(let a), .isSelf(let b)): return a == b
    case (.quantified(let x, let path, let a), .quantified(let y, let other, let b)):
      guard x == y, path == other else { return false }
      open.append((.node(a), .node(b)))
    case (.joined(let a), .joined(let b)):
      guard a.isLike(b) else { return false }
      open += zip(a.conditions, b.conditions).map { (.node($0), .node($1)) }
    default: return false
    }
    return true
  }

  private static func isEqual(
    _ a: QueryExpression, to b: QueryExpression, open: inout [(TreePart, TreePart)]
  ) -> Bool {
    switch (a, b) {
    case (.value(let a), .value(let b)): return a == b
    case (.property(let a), .property(let b)): return a == b
    case (.arithmetic(let x, let a, let b), .arithmetic(let y, let c, let d)):
      guard x == y else { return false }
      open += [(.expression(a), .expression(c)), (.expression(b), .expression(d))]
    case (.function(let x, let a), .function(let y, let b)):
      guard x == y else { return false }
      open.append((.expression(a), .expression(b)))
    case (
      .aggregate(let x, let path, let a, let condition),
      .aggregate(let y, let way, let b, let other)
    ):
      guard x == y, path == way, (a == nil) == (b == nil) else { return false }
      guard (condition == nil) == (other == nil) else { return false }
      if let a, let b { open.append((.expression(a), .expression(b))) }
      if let condition, let other { open.append((.node(condition), .node(other))) }
    case (.conditional(let condition, let a, let b), .conditional(let other, let c, let d)):
      open += [(.node(condition), .node(other))]
      open += [(.expression(a), .expression(c)), (.expression(b), .expression(d))]
    default: return false
    }
    return true
  }
}

extension PredicateNode {
  public static func == (a: PredicateNode, b: PredicateNode) -> Bool {
    TreePart.areEqual(.node(a), .node(b))
  }

  /// All trees that are too deep have one hash.
  public func hash(into hasher: inout Hasher) {
    if !isTooDeep { TreePart.node(self).combine(into: &hasher) }
  }
}

extension QueryExpression {
  public static func == (a: QueryExpression, b: QueryExpression) -> Bool {
    TreePart.areEqual(.expression(a), .expression(b))
  }

  /// All trees that are too deep have one hash.
  public func hash(into hasher: inout Hasher) {
    if !isTooDeep { TreePart.expression(self).combine(into: &hasher) }
  }
}

extension TreePart {
  /// Hashes a part that is not too deep.
  func combine(into hasher: inout Hasher) {
    switch self {
    case .node(let node): Self.combine(node, into: &hasher)
    case .expression(let expression): Self.combine(expression, into: &hasher)
    }
  }

  private static func combine(_ node: PredicateNode, into hasher: inout Hasher) {
    switch node {
    case .constant(let value): hasher.combine(value)
    case .comparison(let a, let comparison, let b, let options):
      hasher.combine(comparison)
      hasher.combine(options)
      combine(a, into: &hasher)
      combine(b, into: &hasher)
    case .text(let a, let search, let b, let options):
      hasher.combine(search)
      hasher.combine(options)
      combine(a, into: &hasher)
      combine(b, into: &hasher)
    case .isIn(let value, let list, let options):
      hasher.combine(list)
      hasher.combine(options)
      combine(value, into: &hasher)
    case .isNil(let path): hasher.combine(path)
    case .refersTo(let path, let ids):
      hasher.combine(path)
      hasher.combine(ids)
    case .isSelf(let ids): hasher.combine(ids)
    case .quantified(let quantifier, let path, let condition):
      hasher.combine(quantifier)
      hasher.combine(path)
      combine(condition, into: &hasher)
    case .joined(let junction):
      hasher.combine(junction.kind)
      hasher.combine(junction.isNegated)
      for condition in junction.conditions { combine(condition, into: &hasher) }
    }
  }

  private static func combine(_ expression: QueryExpression, into hasher: inout Hasher) {
    switch expression {
    case .value(let scalar): hasher.combine(scalar)
    case .property(let path): hasher.combine(path)
    case .arithmetic(let operation, let a, let b):
      hasher.combine(operation)
      combine(a, into: &hasher)
      combine(b, into: &hasher)
    case .function(let function, let value):
      hasher.combine(function)
      combine(value, into: &hasher)
    case .aggregate(let aggregate, let path, let value, let condition):
      hasher.combine(aggregate)
      hasher.combine(path)
      if let value { combine(value, into: &hasher) }
      if let condition { combine(condition, into: &hasher) }
    case .conditional(let condition, let a, let b):
      combine(condition, into: &hasher)
      combine(a, into: &hasher)
      combine(b, into: &hasher)
    }
  }
}
