/// What a predicate binds its rows to, so that they can be looked up instead of tried one by one.
package enum PredicatePin: Sendable {
  /// The rows have these keys.
  case keys(Set<Int64>)
  /// A to-one relationship leads to one of these keys.
  case references(PropertyLayout, Set<Int64>)
  /// An attribute that is searched often, because it is part of what is unique, has one of these
  /// values.
  case values(PropertyLayout, Set<AttributeScalar>)
}

extension BoundPredicate {
  /// What all rows that the predicate holds for have in common; nil where nothing is known.
  package func pin(in entity: EntityLayout) -> PredicatePin? {
    switch self {
    case .isSelf(let keys): return .keys(keys)
    case .constant(false): return .keys([])
    case .comparison(let property, .equal, let value) where property.isIndexed(in: entity):
      return .values(property, [value])
    case .isIn(let property, let values) where property.isIndexed(in: entity):
      return .values(property, values)
    case .refersTo(let property, let keys):
      return .references(property, keys)
    case .and(let nodes):
      return nodes.compactMap { $0.pin(in: entity) }.min { $0.size < $1.size }
    default: return nil
    }
  }

  /// All conditions about values that are searched often, each of which all rows meet.
  package func valuePins(in entity: EntityLayout) -> [PredicatePin] {
    if case .and(let nodes) = self { return nodes.flatMap { $0.valuePins(in: entity) } }
    guard let pin = pin(in: entity), case .values = pin else { return [] }
    return [pin]
  }
}

extension PredicatePin {
  /// Keys first: looking them up makes no index.
  fileprivate var size: Int {
    switch self {
    case .keys(let keys): keys.count
    case .references(_, let keys): 1_000_000 + keys.count
    case .values(_, let values): 1_000_000 + values.count
    }
  }

  /// The condition alone.
  package var predicate: BoundPredicate {
    switch self {
    case .keys(let keys): .isSelf(keys)
    case .references(let property, let keys): .refersTo(property, keys)
    case .values(let property, let values): .isIn(property, values)
    }
  }
}

extension PropertyLayout {
  /// Whether programs look objects up by the property; decimals are left out, since equal ones may
  /// be spelt differently.
  fileprivate func isIndexed(in entity: EntityLayout) -> Bool {
    form != .decimal && isUnique(in: entity)
  }

  private func isUnique(in entity: EntityLayout) -> Bool {
    entity.description.uniquenessConstraints.contains { $0.contains(name) }
      || entity.superentity.map(isUnique) ?? false
  }
}
