extension PredicateNode {
  /// Whether all conditions hold; true where there are none.
  ///
  /// ```swift
  /// let adults = PredicateNode.and([.comparison(key: "age", .greaterOrEqual, .integer(18)), isHere])
  /// ```
  /// - Complexity: O(conditions), however they were joined before.
  public static func and(_ conditions: [PredicateNode]) -> PredicateNode {
    join(.all, conditions)
  }

  /// Whether at least one condition holds; false where there are none.
  /// - Complexity: O(conditions), however they were joined before.
  public static func or(_ conditions: [PredicateNode]) -> PredicateNode {
    join(.any, conditions)
  }

  /// Whether a condition does not hold.
  /// - Complexity: O(1).
  public static func not(_ condition: PredicateNode) -> PredicateNode {
    switch condition {
    case .constant(let value): .constant(!value)
    case .joined(let junction): junction.negated
    default: .joined(PredicateJunction(.all, [condition], isNegated: true))
    }
  }

  private static func join(
    _ kind: PredicateJunction.Kind, _ nodes: [PredicateNode]
  ) -> PredicateNode {
    guard let first = nodes.first else { return .constant(kind == .all) }
    return nodes.dropFirst().reduce(first) { join(kind, $0, $1) }
  }

  /// Adds the shorter list to the longer one, so that a chain costs the same from either end.
  private static func join(
    _ kind: PredicateJunction.Kind, _ a: PredicateNode, _ b: PredicateNode
  ) -> PredicateNode {
    let left = PredicateJunction(a, as: kind)
    let right = PredicateJunction(b, as: kind)
    if let right, right.count > left?.count ?? 1 { return .joined(right.appending(a, left)) }
    if let left { return .joined(left.appending(b, right)) }
    return .joined(PredicateJunction(kind, [a, b]))
  }
}
