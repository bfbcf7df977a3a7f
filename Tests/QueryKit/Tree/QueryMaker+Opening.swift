import CauldronModel
import CauldronQuery

extension QueryMaker {
  /// A condition on the objects of a to-many relationship that names them from here, as
  /// `ANY skills.level > 3` does.
  mutating func opening(_ entity: String) -> PredicateNode? {
    guard let path = path(entity, { $0.isToMany }, throughToMany: true),
      let end = destination(path.steps[...], entity)
    else { return nil }
    let nodes = (0..<(1 + random.below(3))).compactMap { _ -> PredicateNode? in
      let node = simple(end).prefixed(path.steps)
      guard let node, random.once(in: 4) else { return node }
      return .not(node)
    }
    if nodes.isEmpty { return nil }
    let quantifier = random.pick([PredicateNode.Quantifier.any, .all, .none])
    let condition = random.once(in: 2) ? PredicateNode.and(nodes) : .or(nodes)
    return .quantified(quantifier, PropertyPath(steps: []), condition)
  }
}

extension PredicateNode {
  /// A comparison or a list of one attribute with more steps before it; nil for all else.
  fileprivate func prefixed(_ steps: [String]) -> PredicateNode? {
    func longer(_ expression: QueryExpression) -> QueryExpression {
      guard case .property(let path) = expression else { return expression }
      return .property(PropertyPath(steps: steps + path.steps))
    }
    switch self {
    case .comparison(let a, let comparison, let b, let options):
      return .comparison(longer(a), comparison, longer(b), options)
    case .isIn(let value, let list, let options): return .isIn(longer(value), list, options)
    default: return nil
    }
  }
}
