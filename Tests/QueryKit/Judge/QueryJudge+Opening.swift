import CauldronModel
import CauldronQuery

extension QueryJudge {
  /// The objects that a condition is about which names them from another one: those of the last to-many
  /// relationship that its first path leads through. With them comes the condition as one on them.
  func opened(
    _ condition: PredicateNode, _ object: QueryObject
  ) -> (objects: [QueryObject], condition: PredicateNode) {
    let steps = condition.firstPath?.steps ?? []
    var count = 0
    var owner = object.entity
    for (place, step) in steps.enumerated() {
      guard let property = schema.property(step, owner), let next = property.destination else {
        break
      }
      if property.isToMany { count = place + 1 }
      owner = next
    }
    return (objects(steps.prefix(count), object), condition.shortened(by: count))
  }
}

/// For the forms of which the kit's conditions of this kind are made.
extension PredicateNode {
  fileprivate var firstPath: PropertyPath? {
    switch self {
    case .comparison(.property(let path), _, _, _), .comparison(_, _, .property(let path), _),
      .isIn(.property(let path), _, _):
      path
    case .joined(let junction): junction.conditions.lazy.compactMap(\.firstPath).first
    default: nil
    }
  }

  fileprivate func shortened(by count: Int) -> PredicateNode {
    func shorter(_ expression: QueryExpression) -> QueryExpression {
      guard case .property(let path) = expression else { return expression }
      return .property(PropertyPath(steps: Array(path.steps.dropFirst(count))))
    }
    switch self {
    case .comparison(let a, let comparison, let b, let options):
      return .comparison(shorter(a), comparison, shorter(b), options)
    case .isIn(let value, let list, let options): return .isIn(shorter(value), list, options)
    case .joined(let junction):
      let nodes = junction.conditions.map { $0.shortened(by: count) }
      let node = junction.kind == .all ? PredicateNode.and(nodes) : .or(nodes)
      return junction.isNegated ? .not(node) : node
    default: return self
    }
  }
}
