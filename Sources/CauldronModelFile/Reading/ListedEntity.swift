import CauldronModel

/// An entity as it was archived, which may repeat what it inherits.
struct ListedEntity {
  /// With all properties that descriptions can say.
  var description: EntityDescription
  /// The names of all properties.
  var names: Set<String> = []
  /// The names of the properties that there is a column for.
  private(set) var stored: Set<String> = []
  /// Whether something was left out that may enter the version hash.
  var isOpen = false

  init(_ description: EntityDescription) { self.description = description }

  mutating func append(_ property: PropertyDescription) {
    description.properties.append(property)
    let isStored =
      switch property {
      case .attribute(let attribute): !attribute.isTransient
      case .relationship(let relationship): !relationship.isToMany
      }
    if isStored { stored.insert(property.name) }
  }
}
