import CauldronModel
import CauldronSQLite

/// The form of a model for programs.
extension ModelReport {
  struct Encodable: Swift.Encodable {
    struct Property: Swift.Encodable {
      let name: String
      let type: String
      let isRelationship: Bool
      /// By the names that the text has, such as `delete rule`; without those that say nothing.
      let traits: [String: String]
    }

    struct Index: Swift.Encodable {
      let name: String
      let properties: [String]
      let descending: [String]
    }

    struct Fetch: Swift.Encodable {
      let name: String
      let entity: String
      let predicate: String?
      let limit: Int?
      let includesSubentities: Bool
    }

    struct Entity: Swift.Encodable {
      let name: String
      let superentity: String?
      let isAbstract: Bool
      let isUnderstood: Bool
      let versionHash: String?
      let versionHashModifier: String?
      let renamingIdentifier: String?
      let properties: [Property]
      let unique: [[String]]
      let indexes: [Index]
      let fetchedProperties: [Fetch]
    }

    let model: String
    let versionIdentifiers: [String]
    let mistake: String?
    let entities: [Entity]
    let fetchRequestTemplates: [Fetch]
    let configurations: [String: [String]]
  }

  var encodable: Encodable {
    Encodable(
      model: file.path, versionIdentifiers: file.descriptions.versionIdentifiers,
      mistake: file.mistake?.message, entities: entities.map(entity),
      fetchRequestTemplates: file.descriptions.fetchRequestTemplates.map(fetch),
      configurations: file.descriptions.configurations)
  }

  private func entity(_ entity: EntityDescription) -> Encodable.Entity {
    Encodable.Entity(
      name: entity.name, superentity: entity.superentity, isAbstract: entity.isAbstract,
      isUnderstood: !entity.isPartial, versionHash: file.hash(of: entity.name),
      versionHashModifier: entity.versionHashModifier,
      renamingIdentifier: entity.originalNames.last,
      properties: EntityParts(entity).properties.map(property),
      unique: entity.uniquenessConstraints,
      indexes: entity.indexes.map {
        Encodable.Index(
          name: $0.name, properties: $0.properties, descending: $0.descending.sorted())
      }, fetchedProperties: entity.fetchedProperties.map(fetch))
  }

  private func property(_ property: PropertyDescription) -> Encodable.Property {
    let traits = PropertyTraits(property)
    let said = traits.traits.filter { !["none", "no"].contains($0.value) }
    return Encodable.Property(
      name: property.name, type: traits.type, isRelationship: traits.isRelationship,
      traits: Dictionary(said.map { ($0.name, $0.value) }) { first, _ in first })
  }

  private func fetch(_ template: FetchRequestTemplate) -> Encodable.Fetch {
    Encodable.Fetch(
      name: template.name, entity: template.entityName, predicate: template.predicateFormat,
      limit: template.fetchLimit > 0 ? template.fetchLimit : nil,
      includesSubentities: template.includesSubentities)
  }
}
