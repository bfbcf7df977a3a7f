extension TreePart {
  /// Hashes a part that is not too deep.
  func combine(into hasher: inout Hasher) {
    switch self {
    case .node(let node): Self.combine(node, &hasher)
    case .expression(let expression): Self.combine(expression, &hasher)
    }
  }

  private static func combine(_ node: PredicateNode, _ hasher: inout Hasher) {
    switch node {
    case .constant(let value): hasher.combine(value)
    case .comparison(let a, let comparison, let b, let options):
      hasher.combine(comparison)
      hasher.combine(options)
      combine(a, &hasher)
      combine(b, &hasher)
    case .text(let a, let search, let b, let options):
      hasher.combine(search)
      hasher.combine(options)
      combine(a, &hasher)
      combine(b, &hasher)
    case .isIn(let value, let list, let options):
      hasher.combine(list)
      hasher.combine(options)
      combine(value, &hasher)
    case .isNil(let path): hasher.combine(path)
    case .refersTo(let path, let ids):
      hasher.combine(path)
      hasher.combine(ids)
    case .isSelf(let ids): hasher.combine(ids)
    case .quantified(let quantifier, let path, let condition):
      hasher.combine(quantifier)
      hasher.combine(path)
      combine(condition, &hasher)
    case .joined(let junction):
      hasher.combine(junction.kind)
      hasher.combine(junction.isNegated)
      for condition in junction.conditions { combine(condition, &hasher) }
    }
  }

  private static func combine(_ expression: QueryExpression, _ hasher: inout Hasher) {
    switch expression {
    case .value(let scalar): hasher.combine(scalar)
    case .property(let path): hasher.combine(path)
    case .arithmetic(let operation, let a, let b):
      hasher.combine(operation)
      combine(a, &hasher)
      combine(b, &hasher)
    case .function(let function, let value):
      hasher.combine(function)
      combine(value, &hasher)
    case .aggregate(let aggregate, let path, let value, let condition):
      hasher.combine(aggregate)
      hasher.combine(path)
      if let value { combine(value, &hasher) }
      if let condition { combine(condition, &hasher) }
    case .conditional(let condition, let a, let b):
      combine(condition, &hasher)
      combine(a, &hasher)
      combine(b, &hasher)
    }
  }
}
