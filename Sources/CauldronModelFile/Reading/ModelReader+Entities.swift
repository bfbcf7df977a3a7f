import CauldronModel

extension ModelReader {
  mutating func entity(_ reference: Int) throws(StoredModelFailure) -> ListedEntity {
    let object = try archive.object(reference)
    guard object.className == "NSEntityDescription", let name = try name(reference) else {
      throw .archive("an entity is no entity")
    }
    var entity = EntityDescription(
      name: name, superentity: try self.name(object.reference("NSSuperentity")),
      isAbstract: object.flag("NSIsAbstract"), properties: [])
    entity.originalNames = try originalNames(object, name)
    entity.indexes = try indexes(object)
    var result = ListedEntity(entity)
    try readConstraints(object, &result)
    // Its place in the version hash is not known.
    if try modifier(object) != nil { result.isOpen = true }
    for property in try archive.elements(object.reference("NSProperties")) {
      try readProperty(property, &result)
    }
    return result
  }

  /// What a property or an entity had for a name before, if another one.
  mutating func originalNames(
    _ object: ArchivedObject, _ name: String
  ) throws(StoredModelFailure) -> [String] {
    let original = try archive.text(object.reference("NSRenamingIdentifier"))
    guard let original, !original.isEmpty, original != name else { return [] }
    return [original]
  }

  /// What makes another version hash.
  mutating func modifier(_ object: ArchivedObject) throws(StoredModelFailure) -> String? {
    let modifier = try archive.text(object.reference("NSVersionHashModifier"))
    return modifier == "" ? nil : modifier
  }

  private mutating func readConstraints(
    _ object: ArchivedObject, _ entity: inout ListedEntity
  ) throws(StoredModelFailure) {
    for constraint in try archive.elements(object.reference("NSUniqueTuples")) {
      var names: [String] = []
      for element in try archive.elements(constraint) {
        if let name = try archive.text(element) { names.append(name) } else { entity.isOpen = true }
      }
      entity.description.uniquenessConstraints.append(names)
    }
  }

  /// The indexes that are nothing but properties in ascending order.
  private mutating func indexes(
    _ entity: ArchivedObject
  ) throws(StoredModelFailure) -> [IndexDescription] {
    var result: [IndexDescription] = []
    for reference in try archive.elements(entity.reference("NSFetchIndexDescriptions")) {
      let index = try archive.object(reference)
      var properties: [String]? = []
      for element in try archive.elements(index.reference("NSIndexElements")) {
        let element = try archive.object(element)
        let isPlain = element.integer("NSFetchIndexElementType") == 0 && element.flag("NSAscending")
        guard isPlain, let name = try archive.text(element.reference("NSPropertyName")) else {
          properties = nil
          break
        }
        properties?.append(name)
      }
      guard let properties, !properties.isEmpty, index.reference("NSPartialIndexPredicate") == nil,
        let name = try archive.text(index.reference("NSIndexName"))
      else { continue }
      result.append(IndexDescription(name: name, properties: properties))
    }
    return result
  }
}
