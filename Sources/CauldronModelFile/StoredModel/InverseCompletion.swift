import CauldronModel

/// Fills in the inverses that only the relationship at the other end names, as a model does.
struct InverseCompletion {
  private let entities: [EntityDescription]
  private let byName: [String: EntityDescription]

  init(_ entities: [EntityDescription]) {
    self.entities = entities
    byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
  }

  var completed: [EntityDescription] {
    entities.map { entity in
      var entity = entity
      entity.properties = entity.properties.map { completed($0, of: entity.name) }
      return entity
    }
  }

  private func completed(_ property: PropertyDescription, of entity: String)
    -> PropertyDescription
  {
    guard case .relationship(var relationship) = property, relationship.inverse == nil else {
      return property
    }
    let kinds = Set(family(entity).map(\.name))
    let others = family(relationship.destination).flatMap(\.relationships).filter {
      $0.inverse == relationship.name && kinds.contains($0.destination)
    }
    relationship.inverse = others.count == 1 ? others[0].name : nil
    return .relationship(relationship)
  }

  /// An entity and its superentities.
  private func family(_ name: String) -> [EntityDescription] {
    var result: [EntityDescription] = []
    var seen: Set<String> = []
    var next: String? = name
    while let name = next, let entity = byName[name], seen.insert(name).inserted {
      result.append(entity)
      next = entity.superentity
    }
    return result
  }
}

extension EntityDescription {
  /// The entity's own relationships.
  var relationships: [RelationshipDescription] {
    properties.compactMap { property in
      guard case .relationship(let relationship) = property else { return nil }
      return relationship
    }
  }
}
