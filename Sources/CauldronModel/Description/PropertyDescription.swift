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

  /// The same attribute with where imports find its value.
  /// - Note: It serves generated code.
  public func _importing(
    from: [String] = [], absent: ImportPolicy = .keep, null: ImportPolicy = .setNil,
    empty: ImportPolicy? = nil, dateFormats: [ImportDateFormat] = [],
    transform: ImportTransform? = nil, imported: Bool = true
  ) -> PropertyDescription {
    guard case .attribute(var attribute) = self else { return self }
    attribute.importing = AttributeImport(
      from: from, absent: absent, null: null, empty: empty, dateFormats: dateFormats,
      transform: transform, isExcluded: !imported)
    return .attribute(attribute)
  }

  /// The same relationship with where imports find its objects.
  /// - Note: It serves generated code.
  public func _linking(
    from: [String] = [], match: String? = nil, members: ImportMembers = .merge,
    unknown: ImportUnknown = .stub, absent: ImportPolicy = .keep, null: ImportPolicy = .setNil,
    empty: ImportPolicy? = nil, subentity: String? = nil, transform: ImportTransform? = nil,
    imported: Bool = true
  ) -> PropertyDescription {
    guard case .relationship(var relationship) = self else { return self }
    relationship.importing = RelationshipImport(
      from: from, match: match, members: members, unknown: unknown, absent: absent, null: null,
      empty: empty, subentity: subentity, transform: transform, isExcluded: !imported)
    return .relationship(relationship)
  }
}
