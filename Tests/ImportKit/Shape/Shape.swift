import CauldronModel

/// A random model as plain lists, with what it says of imports.
struct Shape: Sendable {
  struct Attribute: Sendable {
    let name: String
    let type: AttributeType
    var isRequired = false
    /// Null where there is none.
    var fallback = AttributeScalar.null
    var mapping = AttributeImport()
  }

  struct Relationship: Sendable {
    let name: String
    let destination: String
    let inverse: String
    let isToMany: Bool
    let isOrdered: Bool
    let isInverseToMany: Bool
    let isInverseOrdered: Bool
    var mapping = RelationshipImport()
  }

  struct Entity: Sendable {
    let name: String
    var superentity: String?
    var isAbstract = false
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    /// By what its objects are found.
    var key: String?
    /// The attributes of which no two objects have the same value.
    var unique: [String] = []
    /// The attributes of which no two objects have the same values, all taken together.
    var together: [String] = []
  }

  var entities: [Entity]

  subscript(name: String) -> Entity? { entities.first { $0.name == name } }

  /// The entity with all above it, the topmost first.
  func line(_ name: String) -> [Entity] {
    guard let entity = self[name] else { return [] }
    return (entity.superentity.map(line) ?? []) + [entity]
  }

  func attributes(_ entity: String) -> [Attribute] { line(entity).flatMap(\.attributes) }

  func relationships(_ entity: String) -> [Relationship] { line(entity).flatMap(\.relationships) }

  func attribute(_ name: String, _ entity: String) -> Attribute? {
    attributes(entity).first { $0.name == name }
  }

  func relationship(_ name: String, _ entity: String) -> Relationship? {
    relationships(entity).first { $0.name == name }
  }

  func isKind(_ entity: String, of other: String) -> Bool {
    line(entity).contains { $0.name == other }
  }

  func root(_ entity: String) -> String { line(entity).first?.name ?? entity }

  func isUnique(_ attribute: String, _ entity: String) -> Bool {
    line(entity).contains { $0.unique.contains(attribute) }
  }

  /// The attributes that are unique together; none where there are none.
  func together(_ entity: String) -> [String] { line(entity).flatMap(\.together) }

  var concrete: [String] { entities.filter { !$0.isAbstract }.map(\.name) }
}

extension Shape {
  /// The same for the library.
  var descriptions: [EntityDescription] {
    entities.map { entity in
      var made = EntityDescription(
        name: entity.name, superentity: entity.superentity, isAbstract: entity.isAbstract,
        properties: entity.attributes.map(Self.described)
          + entity.relationships.map(Self.described),
        uniquenessConstraints: entity.unique.map { [$0] }
          + (entity.together.isEmpty ? [] : [entity.together]))
      made.importKey = entity.key
      return made
    }
  }

  private static func described(_ attribute: Attribute) -> PropertyDescription {
    var made = AttributeDescription(
      name: attribute.name, type: attribute.type, isOptional: !attribute.isRequired,
      default: attribute.fallback == .null ? .none : .constant(attribute.fallback))
    made.importing = attribute.mapping
    return .attribute(made)
  }

  private static func described(_ relationship: Relationship) -> PropertyDescription {
    var made = RelationshipDescription(
      name: relationship.name, destination: relationship.destination,
      inverse: relationship.inverse, isToMany: relationship.isToMany,
      isOrdered: relationship.isOrdered)
    made.importing = relationship.mapping
    return .relationship(made)
  }
}
