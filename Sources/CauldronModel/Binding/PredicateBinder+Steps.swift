extension PredicateBinder {
  /// The to-one relationship that a path goes through.
  func step(_ name: String, of path: PropertyPath) throws -> PropertyLayout {
    let property = try relationship(name)
    guard property.kind == .toOne else {
      throw CauldronError.unsupported(
        entity, path.text,
        "the path \"\(path.text)\" leads through \(name), which is to-many",
        hint: "Ask of any, all or none of the objects: { $0.\(name).any { … } }.")
    }
    return property
  }

  /// A relationship of the entity.
  func relationship(_ name: String) throws -> PropertyLayout {
    let property = try PredicateNode.property(name, entity)
    switch property.kind {
    case .toOne, .toMany: return property
    case .attribute, .transient:
      throw CauldronError.mismatch(
        entity, "\(name) is not a relationship; it leads to no object and has no properties"
      ).with { $0.property = name }
    }
  }

  /// Whether a path ends with a relationship, or has no steps.
  func leadsToObject(_ path: PropertyPath) throws -> Bool {
    guard let first = path.steps.first else { return true }
    let property = try PredicateNode.property(first, entity)
    guard property.kind == .toOne || property.kind == .toMany else { return false }
    return try path.steps.count == 1 || following(property).leadsToObject(path.dropFirst)
  }

  /// A relationship whose objects are compared with others.
  func comparable(_ name: String) throws -> PropertyLayout {
    let property = try PredicateNode.property(name, entity)
    guard property.kind == .toOne || property.kind == .toMany else {
      throw CauldronError(
        .queryTypeMismatch,
        "\(entity.name).\(name) is not a relationship; it cannot be compared with an object.")
    }
    return property
  }
}
