/// A property of an entity: an attribute or a relationship.
public enum PropertyDescription: Sendable {
  /// A value.
  case attribute(AttributeDescription)
  /// A reference to other objects.
  case relationship(RelationshipDescription)

  /// The property's name.
  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }

  /// The names that the property had before, the oldest last.
  public var originalNames: [String] {
    switch self {
    case .attribute(let attribute): attribute.originalNames
    case .relationship(let relationship): relationship.originalNames
    }
  }

  /// The same property with the names that it had before.
  /// - Note: It serves generated code.
  public func _original(_ names: String...) -> PropertyDescription {
    switch self {
    case .attribute(var attribute):
      attribute.originalNames = names
      return .attribute(attribute)
    case .relationship(var relationship):
      relationship.originalNames = names
      return .relationship(relationship)
    }
  }
}
