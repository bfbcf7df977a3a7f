/// Finds the inverse of each relationship, also where only the other side names it.
struct InverseTable {
  private let entities: [String: EntityDescription]
  /// The relationships of each entity alone, by their names.
  private var named: [String: [String: [RelationshipDescription]]] = [:]
  /// The same, by the names of their inverses.
  private var naming: [String: [String: [RelationshipDescription]]] = [:]

  init(entities: [String: EntityDescription]) throws {
    self.entities = entities
    for entity in entities.values {
      for case .relationship(let relationship) in entity.properties
      where entities[relationship.destination] == nil {
        throw CauldronError.modelInvalid(
          "\(entity.name).\(relationship.name): its destination"
            + " \"\(relationship.destination)\" is not in the model")
      }
      for case .relationship(let relationship) in entity.properties {
        named[entity.name, default: [:]][relationship.name, default: []].append(relationship)
        guard let inverse = relationship.inverse else { continue }
        naming[entity.name, default: [:]][inverse, default: []].append(relationship)
      }
    }
  }

  /// The name of the relationship at the other end.
  /// - Complexity: O(entities above).
  func inverse(of relationship: RelationshipDescription, in entity: String) throws -> String {
    func back(_ name: String, in table: [String: [String: [RelationshipDescription]]])
      -> [RelationshipDescription]
    {
      find(name, of: relationship.destination, in: table).filter {
        isKind(entity, of: $0.destination)
      }
    }
    if let name = relationship.inverse {
      guard let other = back(name, in: named).first else {
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
    let naming = back(relationship.name, in: naming)
    guard let other = naming.first else {
      throw CauldronError.modelInvalid(
        "\(entity).\(relationship.name): no inverse; name it here or in \(relationship.destination)"
      )
    }
    guard naming.count == 1 else {
      let names = naming.map { "\(relationship.destination).\($0.name)" }
      throw CauldronError.modelInvalid(
        "\(names.joined(separator: ", ")): all name \(entity).\(relationship.name) as their inverse;"
          + " only one may")
    }
    return other.name
  }

  /// Whether a relationship of an entity is ordered.
  func isOrdered(_ name: String?, of entity: String) -> Bool {
    name.map { find($0, of: entity, in: named).contains(where: \.isOrdered) } ?? false
  }

  /// What a table has under a name of an entity and of those above it, the nearest first.
  private func find(
    _ name: String, of entity: String, in table: [String: [String: [RelationshipDescription]]]
  ) -> [RelationshipDescription] {
    var result: [RelationshipDescription] = []
    var next: String? = entity
    var seen: Set<String> = []
    while let step = next, let description = entities[step], seen.insert(step).inserted {
      result += table[step]?[name] ?? []
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
