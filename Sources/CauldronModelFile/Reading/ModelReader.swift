import CauldronModel

/// Makes descriptions of an archived model.
struct ModelReader {
  /// The most superentities of an entity; who goes through a hierarchy may take it for shallow.
  private static let deepest = 100

  var archive: KeyedArchive
  /// The names of entities by their references.
  private var names: [Int: String] = [:]

  init(_ archive: KeyedArchive) { self.archive = archive }

  mutating func model() throws(StoredModelFailure) -> StoredModel {
    let model = try archive.object(archive.root)
    guard let references = model.reference("NSEntities") else {
      throw .archive("there are no entities")
    }
    var listed: [String: ListedEntity] = [:]
    for reference in try archive.elements(references) {
      let entity = try entity(reference)
      let name = entity.description.name
      guard listed.updateValue(entity, forKey: name) == nil else {
        throw .archive("two entities are named \"\(name)\"")
      }
    }
    var result = StoredModel(entities: [])
    for entity in listed.values {
      let ancestors = try Self.ancestors(of: entity, listed)
      let isOpen = Self.finish(entity, ancestors, &result.entities)
      if isOpen { result.open.insert(entity.description.name) }
    }
    result.dropUnsupportedCounts()
    result.entities.sort { $0.name < $1.name }
    for identifier in try archive.elements(model.reference("NSVersionIdentifiers")) {
      if let text = try archive.text(identifier) { result.versionIdentifiers.append(text) }
    }
    result.versionIdentifiers.sort()
    return result
  }

  /// The name of the entity that a reference leads to; nil where it leads to nil.
  mutating func name(_ reference: Int?) throws(StoredModelFailure) -> String? {
    guard let reference else { return nil }
    if let name = names[reference] { return name }
    let entity = try archive.object(reference)
    guard let name = try archive.text(entity.reference("NSEntityName")) else {
      throw .archive("an entity has no name")
    }
    names[reference] = name
    return name
  }

  /// The superentities of an entity, the nearest one first.
  private static func ancestors(
    of entity: ListedEntity, _ listed: [String: ListedEntity]
  ) throws(StoredModelFailure) -> [ListedEntity] {
    var result: [ListedEntity] = []
    var next = entity.description.superentity
    while let name = next {
      guard let ancestor = listed[name] else {
        throw .archive("the superentity \"\(name)\" is not in the model")
      }
      guard result.count < deepest else {
        throw .archive("\"\(entity.description.name)\" has too many superentities")
      }
      result.append(ancestor)
      next = ancestor.description.superentity
    }
    return result
  }

  /// Adds what is an entity's own, and tells whether anything of it or above it was left out.
  private static func finish(
    _ listed: ListedEntity, _ ancestors: [ListedEntity], _ result: inout [EntityDescription]
  ) -> Bool {
    let family = [listed] + ancestors
    func isStored(_ name: String) -> Bool { family.contains { $0.stored.contains(name) } }
    var entity = listed.description
    entity.uniquenessConstraints.removeAll { !$0.allSatisfy(isStored) }
    entity.indexes.removeAll { !$0.properties.allSatisfy(isStored) }
    entity.properties.removeAll { property in
      ancestors.contains { $0.names.contains(property.name) }
    }
    entity.properties.sort { $0.name < $1.name }
    let isWhole =
      entity.uniquenessConstraints.count == listed.description.uniquenessConstraints.count
    result.append(entity)
    return !isWhole || family.contains { $0.isOpen }
  }
}
