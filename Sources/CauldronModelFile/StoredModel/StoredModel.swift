package import CauldronModel

/// A model as a store or a `.mom` file keeps it.
///
/// Bytes from anywhere give a model or a failure, in a time and a space that their number limits. What
/// they describe is not checked: `ManagedObjectModel` does that.
package struct StoredModel: Sendable {
  /// The entities by name, each with its own properties only, by name as well.
  ///
  /// A property or an entity that was renamed has one original name: Core Data's renaming identifier.
  /// There are no classes and no rules.
  package var entities: [EntityDescription]
  /// Strings that the developer gave the version.
  package var versionIdentifiers: [String]
  /// The entities that have something which descriptions cannot say, and their subentities.
  ///
  /// Composite attributes, fetched properties, transient relationships and what is derived otherwise than
  /// by a count are left out, so that an entity's version hash may differ from Core Data's.
  package var open: Set<String> = []

  /// A model that is to be kept; inverses that only the other side names are completed.
  package init(entities: [EntityDescription], versionIdentifiers: [String] = []) {
    self.entities = InverseCompletion(entities).completed.map(\.sorted)
      .sorted { $0.name < $1.name }
    self.versionIdentifiers = versionIdentifiers
  }
}

extension EntityDescription {
  /// The same entity with its properties by name.
  fileprivate var sorted: EntityDescription {
    var entity = self
    entity.properties.sort { $0.name < $1.name }
    return entity
  }
}

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
