import Cauldron

/// Describes models as an editor of models has noted them, with MagicalRecord's keys in `userInfo`.
enum Editor {
  static func entity(
    _ name: String, noted notes: [String: String] = [:], above: String? = nil,
    isAbstract: Bool = false, _ properties: PropertyDescription...
  ) -> EntityDescription {
    var made = EntityDescription(
      name: name, superentity: above, isAbstract: isAbstract, properties: properties)
    made.userInfo = notes
    return made
  }

  static func attribute(
    _ name: String, _ type: AttributeType = .string, _ notes: [String: String] = [:],
    default value: AttributeDescription.Default = .none
  ) -> PropertyDescription {
    var made = AttributeDescription(name: name, type: type, default: value)
    made.userInfo = notes
    return .attribute(made)
  }

  static func one(
    _ name: String, _ destination: String, _ inverse: String, _ notes: [String: String] = [:],
    _ importing: RelationshipImport = RelationshipImport()
  ) -> PropertyDescription {
    link(name, destination, inverse, notes, importing, isToMany: false)
  }

  static func many(
    _ name: String, _ destination: String, _ inverse: String, _ notes: [String: String] = [:],
    _ importing: RelationshipImport = RelationshipImport(), isOrdered: Bool = false
  ) -> PropertyDescription {
    link(name, destination, inverse, notes, importing, isToMany: true, isOrdered: isOrdered)
  }

  /// The way back of a relationship, of which records say nothing.
  static func back(_ name: String, _ destination: String, _ inverse: String) -> PropertyDescription
  {
    many(name, destination, inverse, ["excludeFromImport": "YES"])
  }

  private static func link(
    _ name: String, _ destination: String, _ inverse: String, _ notes: [String: String],
    _ importing: RelationshipImport, isToMany: Bool, isOrdered: Bool = false
  ) -> PropertyDescription {
    var made = RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isToMany: isToMany,
      isOrdered: isOrdered)
    made.userInfo = notes
    made.importing = importing
    return .relationship(made)
  }
}
