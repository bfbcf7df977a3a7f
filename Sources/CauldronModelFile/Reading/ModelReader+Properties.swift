import CauldronModel

extension ModelReader {
  /// Adds a property to its entity, or notes that it cannot be said.
  mutating func readProperty(
    _ reference: Int, _ entity: inout ListedEntity
  ) throws(StoredModelFailure) {
    var object = try archive.object(reference)
    // Stands for a property of a superentity.
    if object.className == "_NSPropertyDescriptionProxy",
      let underlying = object.reference("NSUnderlyingProperty")
    {
      object = try archive.object(underlying)
    }
    guard let name = try archive.text(object.reference("NSPropertyName")) else {
      throw .archive("a property of \"\(entity.description.name)\" has no name")
    }
    guard entity.names.insert(name).inserted else {
      throw .archive("\"\(entity.description.name)\" has two properties named \"\(name)\"")
    }
    guard let property = try property(object, name) else {
      entity.isOpen = true
      return
    }
    if object.flag("NSIsReadOnly"), !property.isDerived { entity.isOpen = true }
    entity.append(property)
  }

  /// Nil where there is no description of the kind.
  private mutating func property(
    _ object: ArchivedObject, _ name: String
  ) throws(StoredModelFailure) -> PropertyDescription? {
    switch object.className {
    case "NSAttributeDescription":
      guard let number = object.integer("NSAttributeType"),
        let type = AttributeType(rawValue: number)
      else { return nil }
      return .attribute(try attribute(object, name, type))
    case "NSDerivedAttributeDescription":
      guard let number = object.integer("NSAttributeType"),
        let type = AttributeType(rawValue: number), let derivation = try derivation(object)
      else { return nil }
      var attribute = try attribute(object, name, type)
      attribute.derivation = derivation
      return .attribute(attribute)
    case "NSRelationshipDescription":
      guard !object.flag("NSIsTransient"), let rule = deleteRule(object) else { return nil }
      return .relationship(try relationship(object, name, rule))
    default: return nil
    }
  }

  private mutating func attribute(
    _ object: ArchivedObject, _ name: String, _ type: AttributeType
  ) throws(StoredModelFailure) -> AttributeDescription {
    let flags = AttributeFlags(rawValue: object.integer("NSFlagsKey") ?? 0)
    var attribute = AttributeDescription(
      name: name, type: type, isOptional: object.flag("NSIsOptional"),
      isTransient: object.flag("NSIsTransient"),
      allowsExternalBinaryDataStorage: flags.contains(.external),
      preservesValueInHistoryOnDeletion: flags.contains(.preserved),
      versionHashModifier: try modifier(object))
    if let value = try defaultValue(object, type) { attribute.defaultValue = .constant(value) }
    attribute.originalNames = try originalNames(object, name)
    return attribute
  }

  /// Nil for a rule that nobody here knows.
  private func deleteRule(_ object: ArchivedObject) -> RelationshipDescription.DeleteRule? {
    guard let number = object.integer("NSDeleteRule") else { return .nullify }
    return RelationshipDescription.DeleteRule(rawValue: number)
  }

  private mutating func relationship(
    _ object: ArchivedObject, _ name: String, _ rule: RelationshipDescription.DeleteRule
  ) throws(StoredModelFailure) -> RelationshipDescription {
    var destination = try archive.text(object.reference("_NSDestinationEntityName"))
    if destination == nil {
      destination = try self.name(object.reference("NSDestinationEntity"))
    }
    guard let destination else { throw .archive("the relationship \"\(name)\" leads nowhere") }
    let counts = try (count(object, "NSMinCount"), count(object, "NSMaxCount"))
    var relationship = RelationshipDescription(
      name: name, destination: destination, inverse: try inverse(object), isToMany: counts.1 != 1,
      isOptional: object.flag("NSIsOptional"),
      deleteRule: rule, minCount: counts.0, maxCount: counts.1,
      isOrdered: object.flag("NSIsOrdered"),
      versionHashModifier: try modifier(object))
    relationship.originalNames = try originalNames(object, name)
    return relationship
  }

  private mutating func inverse(
    _ object: ArchivedObject
  ) throws(StoredModelFailure) -> String? {
    if let name = try archive.text(object.reference("_NSInverseRelationshipName")) { return name }
    guard let reference = object.reference("NSInverseRelationship") else { return nil }
    return try archive.text(archive.object(reference).reference("NSPropertyName"))
  }

  /// A number of destinations, of which the version hash knows 32 bits.
  private func count(
    _ object: ArchivedObject, _ key: String
  ) throws(StoredModelFailure) -> Int {
    guard let count = object.integer(key) else { throw .archive("a relationship has no \(key)") }
    return Int(Int32(truncatingIfNeeded: count))
  }
}
