extension BoundExpression {
  /// The same expression with other keys in the place of those that it names.
  func mappingKeys(
    of entity: EntityLayout, _ key: (Int64, EntityLayout) -> Int64
  ) -> BoundExpression {
    switch self {
    case .constant, .decimal, .attribute: return self
    case .related(let property, let value):
      guard let destination = property.destination?.entity else { return self }
      return .related(property, value.mappingKeys(of: destination, key))
    case .aggregate(let gathering):
      guard let destination = gathering.relationship.destination?.entity else { return self }
      return .aggregate(
        Gathering(
          aggregate: gathering.aggregate, relationship: gathering.relationship,
          value: gathering.value?.mappingKeys(of: destination, key),
          condition: gathering.condition?.mappingKeys(of: destination, key)))
    case .grouped(let aggregate, let value):
      return .grouped(aggregate, value?.mappingKeys(of: entity, key))
    case .arithmetic(let operation, let a, let b):
      return .arithmetic(
        operation, a.mappingKeys(of: entity, key), b.mappingKeys(of: entity, key))
    case .function(let function, let value):
      return .function(function, value.mappingKeys(of: entity, key))
    case .folded(let options, let value):
      return .folded(options, value.mappingKeys(of: entity, key))
    case .section(let transform, let value):
      return .section(transform, value.mappingKeys(of: entity, key))
    case .zeroForNil(let value): return .zeroForNil(value.mappingKeys(of: entity, key))
    case .conditional(let condition, let a, let b):
      return .conditional(
        condition.mappingKeys(of: entity, key), a.mappingKeys(of: entity, key),
        b.mappingKeys(of: entity, key))
    }
  }
}
