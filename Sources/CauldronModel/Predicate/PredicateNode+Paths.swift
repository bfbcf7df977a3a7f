extension PredicateNode {
  /// The same condition with other paths from the object; what is asked of other objects is theirs.
  /// - Parameter map: Called with a path, and whether it is one to objects that something is gathered
  ///   from.
  func mappingPaths(
    _ map: (PropertyPath, Bool) throws -> PropertyPath
  ) rethrows -> PredicateNode {
    switch self {
    case .constant: return self
    case .comparison(let a, let comparison, let b, let options):
      return .comparison(try a.mappingPaths(map), comparison, try b.mappingPaths(map), options)
    case .text(let a, let search, let b, let options):
      return .text(try a.mappingPaths(map), search, try b.mappingPaths(map), options)
    case .isIn(let value, let list, let options):
      return .isIn(try value.mappingPaths(map), list, options)
    case .isNil(let path): return .isNil(try map(path, false))
    case .refersTo(let path, let ids): return Self.refers(try map(path, false), ids)
    case .isSelf(let ids): return Self.refers(try map(PropertyPath(steps: []), false), ids)
    case .quantified(let quantifier, let path, let condition) where path.steps.isEmpty:
      return .quantified(quantifier, path, try condition.mappingPaths(map))
    case .quantified(let quantifier, let path, let condition):
      return .quantified(quantifier, try map(path, false), condition)
    case .joined(let junction):
      let conditions = try junction.conditions.map { try $0.mappingPaths(map) }
      let node = junction.kind == .all ? PredicateNode.and(conditions) : .or(conditions)
      return junction.isNegated ? .not(node) : node
    }
  }

  private static func refers(_ path: PropertyPath, _ ids: [ManagedObjectID]) -> PredicateNode {
    path.steps.isEmpty ? .isSelf(ids) : .refersTo(path, ids)
  }
}

extension QueryExpression {
  /// The same expression with other paths from the object.
  func mappingPaths(
    _ map: (PropertyPath, Bool) throws -> PropertyPath
  ) rethrows -> QueryExpression {
    switch self {
    case .value: return self
    case .property(let path): return .property(try map(path, false))
    case .arithmetic(let operation, let a, let b):
      return .arithmetic(operation, try a.mappingPaths(map), try b.mappingPaths(map))
    case .function(let function, let value):
      return .function(function, try value.mappingPaths(map))
    case .aggregate(let aggregate, let path, let value, let condition):
      return .aggregate(aggregate, of: try map(path, true), value, where: condition)
    case .conditional(let condition, let a, let b):
      return .conditional(
        try condition.mappingPaths(map), try a.mappingPaths(map), try b.mappingPaths(map))
    }
  }
}
