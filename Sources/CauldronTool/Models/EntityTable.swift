import CauldronModel

/// An entity sorted for readers.
struct EntityParts {
  private let entity: EntityDescription

  init(_ entity: EntityDescription) { self.entity = entity }

  var attributes: [AttributeDescription] {
    entity.properties.compactMap { property in
      if case .attribute(let attribute) = property { attribute } else { nil }
    }
  }

  var relationships: [RelationshipDescription] {
    entity.properties.compactMap { property in
      if case .relationship(let relationship) = property { relationship } else { nil }
    }
  }

  /// Attributes with their elements, and then relationships.
  var properties: [PropertyDescription] {
    attributes.flatMap { [$0] + $0.allElements }.map { .attribute($0) }
      + relationships.map { .relationship($0) }
  }

  /// What is said of the entity beside its properties, each with its name.
  var notes: [(String, String)] {
    var notes = entity.uniquenessConstraints.map { ("unique", $0.joined(separator: " + ")) }
    notes += entity.indexes.map { ("index \($0.name)", $0.words) }
    notes += entity.fetchedProperties.map { ("fetched property \($0.name)", $0.words) }
    if !entity.originalNames.isEmpty {
      notes.append(("renaming identifier", entity.originalNames.joined(separator: ", ")))
    }
    if let modifier = entity.versionHashModifier { notes.append(("hash modifier", modifier)) }
    if entity.isPartial {
      notes.append(("not understood", "some of its properties, which are left out here"))
    }
    return notes
  }
}

extension IndexDescription {
  /// The properties in their order, with the direction of those that descend.
  var words: String {
    properties.map { descending.contains($0) ? "\($0) descending" : $0 }.joined(separator: ", ")
  }
}

extension FetchRequestTemplate {
  /// The fetch in words: `Person where age >= $LEAST, at most 10`.
  var words: String {
    entityName + (predicateFormat.map { " where \($0)" } ?? "")
      + (fetchLimit > 0 ? ", at most \(fetchLimit)" : "")
      + (includesSubentities ? "" : ", without subentities")
  }
}

/// The entities of a model by name, with what they inherit.
struct EntityTable {
  let entities: [EntityDescription]
  private let byName: [String: EntityDescription]
  private let children: [String: [String]]

  init(_ entities: [EntityDescription]) {
    self.entities = entities
    byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    children = Dictionary(grouping: entities.filter { $0.superentity != nil }) {
      $0.superentity ?? ""
    }.mapValues { $0.map(\.name) }
  }

  subscript(name: String) -> EntityDescription? { byName[name] }

  /// The names of the entities right below one.
  func children(of name: String) -> [String] { children[name] ?? [] }

  /// An entity and those above it, the nearest first; none twice where they are in a circle.
  func family(of name: String) -> [EntityDescription] {
    var result: [EntityDescription] = []
    var seen: Set<String> = []
    var next = byName[name]
    while let entity = next, seen.insert(entity.name).inserted {
      result.append(entity)
      next = entity.superentity.flatMap { byName[$0] }
    }
    return result
  }

  /// A property of an entity, inherited or an element of a composite one, too.
  func property(_ name: String, of entity: String) -> PropertyDescription? {
    for entity in family(of: entity) {
      if let property = entity.allProperties.first(where: { $0.name == name }) { return property }
    }
    return nil
  }

  /// A relationship of an entity, inherited ones too.
  func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
    guard case .relationship(let relationship)? = property(name, of: entity) else { return nil }
    return relationship
  }

  /// A relationship with the entity that declares it.
  struct End {
    let entity: String
    let relationship: RelationshipDescription

    /// `Person.pets`.
    var name: String { "\(entity).\(relationship.name)" }
  }

  /// The relationships that stores keep.
  var ends: [End] {
    entities.flatMap { entity in
      EntityParts(entity).relationships.filter { !$0.isTransient }
        .map { End(entity: entity.name, relationship: $0) }
    }
  }

  /// The relationship at the other end, with the entity that declares it; nil where there is none.
  func inverse(of end: End) -> End? {
    guard let name = end.relationship.inverse else { return nil }
    for entity in family(of: end.relationship.destination) {
      if let relationship = EntityParts(entity).relationships.first(where: { $0.name == name }) {
        return End(entity: entity.name, relationship: relationship)
      }
    }
    return nil
  }
}
