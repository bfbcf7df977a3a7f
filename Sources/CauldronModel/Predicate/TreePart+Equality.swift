extension TreePart {
  /// Whether two parts are equal, however deep they are.
  /// - Complexity: O(parts).
  static func areEqual(_ a: TreePart, _ b: TreePart) -> Bool {
    var open = [(a, b)]
    while let pair = open.popLast() {
      switch pair {
      case (.node(let a), .node(let b)):
        guard isEqual(a, b, &open) else { return false }
      case (.expression(let a), .expression(let b)):
        guard isEqual(a, b, &open) else { return false }
      default: return false
      }
    }
    return true
  }

  /// Whether two conditions are equal but for their parts, which are compared later.
  private static func isEqual(
    _ a: PredicateNode, _ b: PredicateNode, _ open: inout [(TreePart, TreePart)]
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
    _ a: QueryExpression, _ b: QueryExpression, _ open: inout [(TreePart, TreePart)]
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
