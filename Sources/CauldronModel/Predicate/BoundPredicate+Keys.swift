extension BoundPredicate {
  /// The same condition with other keys in the place of those that it names.
  package func mappingKeys(_ key: (Int64) -> Int64) -> BoundPredicate {
    switch self {
    case .refersTo(let property, let keys): .refersTo(property, Set(keys.map(key)))
    case .isSelf(let keys): .isSelf(Set(keys.map(key)))
    case .and(let nodes): .and(nodes.map { $0.mappingKeys(key) })
    case .or(let nodes): .or(nodes.map { $0.mappingKeys(key) })
    case .not(let node): .not(node.mappingKeys(key))
    default: self
    }
  }
}
