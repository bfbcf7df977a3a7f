/// An object as the store has it while it is being migrated, by the names of the store.
///
/// What is to go still has its values; what goes on has the present ones, with what steps before have
/// written. Of an entity that came, the names are those of the model.
public final class MigrationRow {
  /// The object's identity.
  public let id: MigrationID
  private let context: MigrationContext
  private let place: MigrationPlace

  init(_ context: MigrationContext, _ place: MigrationPlace) {
    self.context = context
    self.place = place
    id = place.id
  }

  /// The value of an attribute; nil for none.
  ///
  /// A name that is unknown, and a value that is none of the type, end the migration.
  public subscript<Value: AttributeValue>(name: String) -> Value? {
    context.attempt {
      let attribute = try context.names.old(name, of: place)
      return try context.read(attribute, place.key)
    }
  }

  /// The value of an attribute as the store keeps it; nil for none.
  public subscript(name: String) -> AttributeScalar? {
    context.attempt {
      let attribute = try context.names.old(name, of: place)
      return try context.scalar(attribute, place.key)
    }
  }

  /// Where a relationship leads to, in order.
  public func links(_ name: String) throws -> [MigrationID] {
    try context.run {
      let property = try context.names.old(name, of: place)
      try context.names.requireRelationship(property)
      return try context.tables.links(property, key: place.key).map(\.id)
    }
  }

  /// Where a to-one relationship leads to; of another one, the first object.
  public func link(_ name: String) throws -> MigrationID? { try links(name).first }
}

extension MigrationContext {
  /// What is read, or nil after a mistake, which is thrown later.
  func attempt<R>(_ work: () throws -> R?) -> R? { try? run(work) }

  /// The value in the row with a key; nil for none.
  func scalar(_ property: MigrationProperty, _ key: Int64) throws -> AttributeScalar? {
    guard property.property.attributeType != nil else {
      throw names.noAttribute(property.property, property.entity)
    }
    let scalar = try tables.value(property, key: key)
    return scalar.isNull ? nil : scalar
  }

  func read<Value: AttributeValue>(_ property: MigrationProperty, _ key: Int64) throws -> Value? {
    try scalar(property, key).map { try value($0, property.property, property.entity) }
  }

  /// A scalar as a value of the type that is asked for.
  func value<Value: AttributeValue>(
    _ scalar: AttributeScalar, _ property: PropertyLayout, _ entity: EntityLayout
  ) throws -> Value {
    guard let value = Value.value(of: scalar) else {
      throw CauldronError(
        .queryTypeMismatch,
        "Cannot read \(entity.name).\(property.name), which is \(property.typeName), as \(Value.self)."
      ).about(entity, property)
    }
    return value
  }
}
