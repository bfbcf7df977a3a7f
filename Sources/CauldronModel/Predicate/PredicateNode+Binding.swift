extension PredicateNode {
  /// Resolves the keys against an entity.
  /// - Throws: `query.unknownKey`, `query.typeMismatch` or `query.unsupported`.
  package func bound(to entity: EntityLayout) throws -> BoundPredicate {
    switch self {
    case .constant(let value):
      return .constant(value)
    case .comparison(let key, let comparison, let scalar):
      return try Self.bindComparison(try Self.attribute(key, entity), comparison, scalar, entity)
    case .text(let key, let search, let text):
      let property = try Self.attribute(key, entity)
      try Self.check(.text(text), property, entity)
      return .text(property, search, text)
    case .isIn(let key, let values):
      let property = try Self.attribute(key, entity)
      for value in values { try Self.check(value, property, entity) }
      let set = Set(values.filter { !$0.isNull })
      let any = BoundPredicate.isIn(property, set)
      return set.count < Set(values).count ? .or([any, .isNull(property)]) : any
    case .refersTo(let key, let ids):
      return .refersTo(try Self.toOne(key, entity), Set(ids.map(\.key)))
    case .isSelf(let ids):
      let family = Set(entity.family.map(\.entity.number))
      return .isSelf(Set(ids.filter { family.contains($0.entityNumber) }.map(\.key)))
    case .and(let nodes):
      return .and(try nodes.map { try $0.bound(to: entity) })
    case .or(let nodes):
      return .or(try nodes.map { try $0.bound(to: entity) })
    case .not(let node):
      return .not(try node.bound(to: entity))
    }
  }

  private static func bindComparison(
    _ property: PropertyLayout, _ comparison: ComparisonOperator, _ scalar: AttributeScalar,
    _ entity: EntityLayout
  ) throws -> BoundPredicate {
    guard scalar.isNull else {
      try check(scalar, property, entity)
      return .comparison(property, comparison, normal(scalar, property))
    }
    switch comparison {
    case .equal: return .isNull(property)
    case .notEqual: return .not(.isNull(property))
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return .constant(false)
    }
  }

  /// An integer that is compared with a real attribute becomes a real.
  private static func normal(
    _ scalar: AttributeScalar, _ property: PropertyLayout
  ) -> AttributeScalar {
    if case .integer(let value) = scalar, property.storageClass == .real {
      return .real(Double(value))
    }
    return scalar
  }
}
