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
}
