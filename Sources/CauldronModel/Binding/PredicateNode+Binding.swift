import Foundation

extension PredicateNode {
  /// Resolves the keys against an entity.
  /// - Parameters:
  ///   - storeNumber: The store that is asked; nil where objects' IDs are of no other one.
  ///   - hasGroups: Whether it is one on groups, so that an aggregate of `SELF` gathers their rows.
  /// - Throws: `query.unknownKey`, `query.typeMismatch`, `query.tooDeep` or `query.unsupported`.
  /// - Complexity: O(conditions).
  package func bound(
    to entity: EntityLayout, storeNumber: Int32? = nil, hasGroups: Bool = false
  ) throws -> BoundPredicate {
    guard isFlat || depth <= PredicateJunction.greatestDepth else {
      throw CauldronError.tooDeep(entity)
    }
    return try PredicateBinder(
      entity: entity, storeNumber: storeNumber, hasGroups: hasGroups
    ).bind(self)
  }

  /// Whether there is surely nothing within the condition.
  private var isFlat: Bool {
    switch self {
    case .isSelf, .refersTo, .isNil, .constant, .comparison(.property, _, .value, _): true
    default: false
    }
  }

  static func bindList(
    _ name: String, _ values: [AttributeScalar], _ entity: EntityLayout
  ) throws -> BoundPredicate {
    let property = try attribute(name, entity)
    for value in values { try check(value, property, entity) }
    let all = Set(values.map { normal($0, property) }.filter { !isBeside($0, property) })
    let any = BoundPredicate.isIn(property, all.subtracting([.null]))
    return all.contains(.null) ? .or([any, .isNull(property)]) : any
  }

  static func bindComparison(
    _ property: PropertyLayout, _ comparison: ComparisonOperator, _ scalar: AttributeScalar,
    _ entity: EntityLayout
  ) throws -> BoundPredicate {
    try check(scalar, property, entity)
    let scalar = normal(scalar, property)
    if case .integer(let value) = scalar, isBeside(scalar, property) {
      return beside(property, comparison, value)
    }
    guard scalar.isNull else {
      // A number that no decimal can be is on one side of all of them.
      if property.form == .decimal, case .text(let text) = scalar, DecimalNumber(text) == nil {
        let number = AttributeScalar.real(Double(text) ?? 0)
        return .compare(.attribute(property), comparison, .constant(number))
      }
      return .comparison(property, comparison, scalar)
    }
    switch comparison {
    case .equal: return .isNull(property)
    case .notEqual: return .not(.isNull(property))
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return .constant(false)
    }
  }

  /// An integer that is compared with a real attribute becomes a real, if there is one; what is
  /// compared with decimals is spelt as they are, and NaN counts as nil.
  private static func normal(
    _ scalar: AttributeScalar, _ property: PropertyLayout
  ) -> AttributeScalar {
    switch scalar {
    case .integer(let value) where property.storageClass == .real:
      Int64(exactly: Double(value)) == value ? .real(Double(value)) : scalar
    case .real(let value) where value.isNaN: .null
    case .integer(let value) where property.form == .decimal: .text("\(value)")
    case .real(let value) where property.form == .decimal: .text("\(value)")
    case .text("NaN") where property.form == .decimal: .null
    default: scalar
    }
  }

  /// Whether a value is an integer between two reals, which no real attribute can have.
  private static func isBeside(_ scalar: AttributeScalar, _ property: PropertyLayout) -> Bool {
    if case .integer = scalar { property.storageClass == .real } else { false }
  }

  /// Compares a real attribute with an integer between two reals: it is on the side of the integer
  /// on which the nearest real is, or on the other one.
  private static func beside(
    _ property: PropertyLayout, _ comparison: ComparisonOperator, _ value: Int64
  ) -> BoundPredicate {
    let nearest = Double(value)
    let isAbove = nearest >= 0x1p63 || Int64(nearest) > value
    switch comparison {
    case .equal: return .constant(false)
    case .notEqual: return .constant(true)
    case .less, .lessOrEqual:
      return .comparison(property, isAbove ? .less : .lessOrEqual, .real(nearest))
    case .greater, .greaterOrEqual:
      return .comparison(property, isAbove ? .greaterOrEqual : .greater, .real(nearest))
    }
  }
}

extension QueryExpression {
  /// Resolves the paths against an entity.
  /// - Parameter hasGroups: Whether an aggregate of `SELF` gathers the rows of a group.
  /// - Throws: `query.…`.
  package func bound(
    to entity: EntityLayout, storeNumber: Int32? = nil, hasGroups: Bool = false
  ) throws -> BoundExpression {
    guard depth <= PredicateJunction.greatestDepth else { throw CauldronError.tooDeep(entity) }
    return try PredicateBinder(
      entity: entity, storeNumber: storeNumber, hasGroups: hasGroups
    ).bind(self)
  }
}
