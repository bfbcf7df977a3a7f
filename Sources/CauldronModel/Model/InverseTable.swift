/// Finds the inverse of each relationship, also where only the other side names it.
struct InverseTable {
  private let entities: [String: EntityDescription]

  init(entities: [String: EntityDescription]) throws {
    self.entities = entities
    for entity in entities.values {
      for case .relationship(let relationship) in entity.properties
      where entities[relationship.destination] == nil {
        throw CauldronError.modelInvalid(
          "\(entity.name).\(relationship.name): its destination"
            + " \"\(relationship.destination)\" is not in the model")
      }
    }
  }

  /// The name of the relationship at the other end.
  func inverse(of relationship: RelationshipDescription, in entity: String) throws -> String {
    let back = relationships(of: relationship.destination).filter {
      isKind(entity, of: $0.destination)
    }
    if let name = relationship.inverse {
      guard let other = back.first(where: { $0.name == name }) else {
        throw CauldronError.modelInvalid(
          "\(entity).\(relationship.name): inverse \"\(name)\" not found in"
            + " \(relationship.destination)")
      }
      guard other.inverse == nil || other.inverse == relationship.name else {
        throw CauldronError.modelInvalid(
          "\(entity).\(relationship.name): \(relationship.destination).\(name) names"
            + " \"\(other.inverse ?? "")\" as its inverse")
      }
      return name
    }
    let named = back.filter { $0.inverse == relationship.name }
    guard let other = named.first, named.count == 1 else {
      throw CauldronError.modelInvalid(
        "\(entity).\(relationship.name): "
          + (named.isEmpty
            ? "no inverse; name it here or in \(relationship.destination)"
            : "\(relationship.destination) has \(named.count) relationships that name it"))
    }
    return other.name
  }

  /// Whether a relationship of an entity is ordered.
  func isOrdered(_ name: String?, of entity: String) -> Bool {
    relationships(of: entity).contains { $0.name == name && $0.isOrdered }
  }

  private func relationships(of entity: String) -> [RelationshipDescription] {
    var result: [RelationshipDescription] = []
    var next: String? = entity
    var seen: Set<String> = []
    while let name = next, let description = entities[name], seen.insert(name).inserted {
      for case .relationship(let relationship) in description.properties {
        result.append(relationship)
      }
      next = description.superentity
    }
    return result
  }

  private func isKind(_ entity: String, of other: String) -> Bool {
    var next: String? = entity
    var seen: Set<String> = []
    while let name = next, seen.insert(name).inserted {
      if name == other { return true }
      next = entities[name]?.superentity
    }
    return false
  }
}
