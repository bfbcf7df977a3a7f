extension BoundPredicate {
  /// The same condition with other keys in the place of those that it names.
  /// - Parameters:
  ///   - entity: The entity whose rows the condition is about.
  ///   - key: Called with a key, and the entity of the object that has it.
  package func mappingKeys(
    of entity: EntityLayout, _ key: (Int64, EntityLayout) -> Int64
  ) -> BoundPredicate {
    switch self {
    case .refersTo(let property, let keys):
      let target = property.destination?.entity ?? entity
      return .refersTo(property, Set(keys.map { key($0, target) }))
    case .isSelf(let keys): return .isSelf(Set(keys.map { key($0, entity) }))
    case .and(let nodes): return .and(nodes.map { $0.mappingKeys(of: entity, key) })
    case .or(let nodes): return .or(nodes.map { $0.mappingKeys(of: entity, key) })
    case .not(let node): return .not(node.mappingKeys(of: entity, key))
    case .exists(let property, let node):
      guard let destination = property.destination?.entity else { return self }
      return .exists(property, node.mappingKeys(of: destination, key))
    case .compare(let a, let comparison, let b):
      return .compare(
        a.mappingKeys(of: entity, key), comparison, b.mappingKeys(of: entity, key))
    case .search(let a, let search, let b):
      return .search(a.mappingKeys(of: entity, key), search, b.mappingKeys(of: entity, key))
    case .matches(let value, let pattern):
      return .matches(value.mappingKeys(of: entity, key), pattern)
    case .member(let value, let values):
      return .member(value.mappingKeys(of: entity, key), values)
    case .constant, .isNull, .comparison, .text, .isIn, .isAfter: return self
    }
  }
}
