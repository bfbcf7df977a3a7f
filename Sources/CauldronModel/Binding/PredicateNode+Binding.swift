extension PredicateNode {
  /// Resolves the keys against an entity.
  /// - Parameter storeNumber: The store that is asked; nil where objects' IDs are of no other one.
  /// - Throws: `query.unknownKey`, `query.typeMismatch`, `query.tooDeep` or `query.unsupported`.
  /// - Complexity: O(conditions).
  package func bound(
    to entity: EntityLayout, storeNumber: Int32? = nil
  ) throws -> BoundPredicate {
    guard depth <= PredicateJunction.greatestDepth else { throw CauldronError.tooDeep(entity) }
    return try bound(to: entity, storeNumber, isNegated: false)
  }

  func bound(
    to entity: EntityLayout, _ storeNumber: Int32?, isNegated: Bool
  ) throws -> BoundPredicate {
    try PredicateBinder(entity: entity, storeNumber: storeNumber).bind(self, isNegated: isNegated)
  }

  static func bindList(
    _ name: String, _ values: [AttributeScalar], _ entity: EntityLayout
  ) throws -> BoundPredicate {
    let property = try attribute(name, entity)
    let values = values.map { spelt($0, property) }
    for value in values { try check(value, property, entity) }
    let all = Set(values.map { normal($0, property) })
    let any = BoundPredicate.isIn(property, all.subtracting([.null]))
    return all.contains(.null) ? .or([any, .isNull(property)]) : any
  }

  static func bindComparison(
    _ property: PropertyLayout, _ comparison: ComparisonOperator, _ scalar: AttributeScalar,
    _ entity: EntityLayout
  ) throws -> BoundPredicate {
    let spelt = spelt(scalar, property)
    try check(spelt, property, entity)
    let scalar = normal(spelt, property)
    guard scalar.isNull else { return .comparison(property, comparison, scalar) }
    switch comparison {
    case .equal: return .isNull(property)
    case .notEqual: return .not(.isNull(property))
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return .constant(false)
    }
  }

  /// A number as text where it is compared with a decimal attribute.
  private static func spelt(
    _ scalar: AttributeScalar, _ property: PropertyLayout
  ) -> AttributeScalar {
    guard property.form == .decimal else { return scalar }
    switch scalar {
    case .integer(let value): return .text("\(value)")
    case .real(let value) where value.isFinite: return .text("\(value)")
    case .null, .real, .text, .blob: return scalar
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
}

extension QueryExpression {
  /// Resolves the paths against an entity.
  /// - Throws: `query.…`.
  package func bound(
    to entity: EntityLayout, storeNumber: Int32? = nil
  ) throws -> BoundExpression {
    guard depth <= PredicateJunction.greatestDepth else { throw CauldronError.tooDeep(entity) }
    return try PredicateBinder(entity: entity, storeNumber: storeNumber).bind(self)
  }
}
