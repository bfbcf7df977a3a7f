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
