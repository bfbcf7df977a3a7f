package import CauldronModel

/// The entities in the model copy of a migrated store.
extension ModelMapping {
  /// The entities of the destination, with the identities that the source knows and the destination
  /// does not state any more: a name that was `label` once stays known by it, though the code does
  /// not say so; a later model may refer to either.
  package var describedEntities: [EntityDescription] {
    destination.entities.map { entity in
      guard let layout = destination.layout(named: entity.name), let old = source(of: layout) else {
        return entity
      }
      var entity = entity
      keep(FormerName(old), in: &entity.originalNames, for: entity.name)
      entity.properties = entity.properties.map { property in
        guard let index = layout.index(of: property.name),
          let old = source(of: layout.properties[index], in: layout)
        else { return property }
        return described(property, from: FormerName(old))
      }
      return entity
    }
  }

  private func described(
    _ property: PropertyDescription, from old: FormerName
  ) -> PropertyDescription {
    switch property {
    case .attribute(var attribute):
      keep(old, in: &attribute.originalNames, for: attribute.name)
      return .attribute(attribute)
    case .relationship(var relationship):
      keep(old, in: &relationship.originalNames, for: relationship.name)
      return .relationship(relationship)
    }
  }

  private func keep(_ old: FormerName, in originals: inout [String], for name: String) {
    if originals.isEmpty, old.identity != name { originals = [old.identity] }
  }
}

extension ManagedObjectModel {
  /// The entity of a name, or else the one that had it before.
  package func layout(namedNowOrBefore name: String) -> EntityLayout? {
    layout(named: name)
      ?? entityLayouts.first { $0.description.originalNames.contains(name) }
  }
}
