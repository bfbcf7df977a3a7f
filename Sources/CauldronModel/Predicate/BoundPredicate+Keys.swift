extension BoundPredicate {
  /// The same condition with other keys in the place of those that it names.
  /// - Parameter key: Called with a key, and the relationship that leads to it; with nil for that of the
  ///   object itself.
  package func mappingKeys(_ key: (Int64, PropertyLayout?) -> Int64) -> BoundPredicate {
    switch self {
    case .refersTo(let property, let keys): .refersTo(property, Set(keys.map { key($0, property) }))
    case .isSelf(let keys): .isSelf(Set(keys.map { key($0, nil) }))
    case .and(let nodes): .and(nodes.map { $0.mappingKeys(key) })
    case .or(let nodes): .or(nodes.map { $0.mappingKeys(key) })
    case .not(let node): .not(node.mappingKeys(key))
    default: self
    }
  }
}
