extension PredicateNode {
  /// Resolves the keys against an entity.
  /// - Parameter storeNumber: The store that is asked; nil where objects' IDs are of no other one.
  /// - Throws: `query.unknownKey`, `query.typeMismatch` or `query.unsupported`.
  /// - Complexity: O(conditions).
  package func bound(
    to entity: EntityLayout, storeNumber: Int32? = nil
  ) throws -> BoundPredicate {
    try bound(to: entity, storeNumber, isNegated: false)
  }

  func bound(
    to entity: EntityLayout, _ storeNumber: Int32?, isNegated: Bool
  ) throws -> BoundPredicate {
    if case .joined(let junction) = self {
      return try junction.bound(to: entity, storeNumber, isNegated: isNegated)
    }
    let condition = try boundAlone(to: entity, storeNumber)
    return isNegated ? condition.negated : condition
  }

  /// A condition by itself.
  private func boundAlone(
    to entity: EntityLayout, _ storeNumber: Int32?
  ) throws -> BoundPredicate {
    switch self {
    case .constant(let value):
      return .constant(value)
    case .comparison(let key, let comparison, let scalar):
      return try Self.bindComparison(try Self.attribute(key, entity), comparison, scalar, entity)
    case .text(let key, let search, let text):
      let property = try Self.attribute(key, entity)
      try Self.checkSearch(text, property, entity)
      return .text(property, search, text)
    case .isIn(let key, let values):
      let property = try Self.attribute(key, entity)
      for value in values { try Self.check(value, property, entity) }
      let all = Set(values.map { Self.normal($0, property) })
      let any = BoundPredicate.isIn(property, all.subtracting([.null]))
      return all.contains(.null) ? .or([any, .isNull(property)]) : any
    case .isNil(let key):
      let property = try Self.property(key, entity)
      return .isNull(property.kind == .toOne ? property : try Self.attribute(key, entity))
    case .refersTo(let key, let ids):
      let property = try Self.toOne(key, entity)
      return .refersTo(property, Self.keys(ids, of: property.destination?.entity, storeNumber))
    case .isSelf(let ids):
      return .isSelf(Self.keys(ids, of: entity, storeNumber))
    case .joined(let junction):
      return try junction.bound(to: entity, storeNumber, isNegated: false)
    }
  }

  private static func bindComparison(
    _ property: PropertyLayout, _ comparison: ComparisonOperator, _ scalar: AttributeScalar,
    _ entity: EntityLayout
  ) throws -> BoundPredicate {
    try check(scalar, property, entity)
    let scalar = normal(scalar, property)
    guard scalar.isNull else { return .comparison(property, comparison, scalar) }
    switch comparison {
    case .equal: return .isNull(property)
    case .notEqual: return .not(.isNull(property))
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return .constant(false)
    }
  }

  /// An integer that is compared with a real attribute becomes a real; NaN counts as nil.
  private static func normal(
    _ scalar: AttributeScalar, _ property: PropertyLayout
  ) -> AttributeScalar {
    switch scalar {
    case .integer(let value) where property.storageClass == .real: .real(Double(value))
    case .real(let value) where value.isNaN: .null
    case .text("NaN") where property.form == .decimal: .null
    default: scalar
    }
  }

  /// The keys of those objects that are of the entity, and of the store; others have keys of other
  /// tables.
  private static func keys(
    _ ids: [ManagedObjectID], of entity: EntityLayout?, _ storeNumber: Int32?
  ) -> Set<Int64> {
    let family = Set((entity?.family ?? []).map(\.entity.number))
    let own = ids.filter { id in
      family.contains(id.entityNumber) && storeNumber.map { $0 == id.storeNumber } ?? true
    }
    return Set(own.map(\.key))
  }
}
