import CauldronArchive
import CauldronModel

/// Makes descriptions of an archived model.
struct ModelReader {
  var archive: KeyedArchive
  /// The names of entities by their references.
  private var names: [Int: String] = [:]

  init(_ archive: KeyedArchive) { self.archive = archive }

  mutating func model() throws(ArchiveFailure) -> StoredModel {
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
    var entities: [EntityDescription] = []
    var open: Set<String> = []
    for entity in listed.values {
      let ancestors = try Self.ancestors(of: entity, listed)
      let isOpen = Self.finish(entity, below: ancestors, into: &entities)
      if isOpen { open.insert(entity.description.name) }
    }
    var result = StoredModel(entities: entities)
    result.open = open
    for identifier in try archive.elements(model.reference("NSVersionIdentifiers")) {
      if let text = try archive.text(identifier) { result.versionIdentifiers.append(text) }
    }
    result.versionIdentifiers.sort()
    return result
  }

  /// The name of the entity that a reference leads to; nil where it leads to nil.
  mutating func name(_ reference: Int?) throws(ArchiveFailure) -> String? {
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
  ) throws(ArchiveFailure) -> [ListedEntity] {
    var result: [ListedEntity] = []
    var next = entity.description.superentity
    while let name = next {
      guard let ancestor = listed[name] else {
        throw .archive("the superentity \"\(name)\" is not in the model")
      }
      guard result.count < ModelCheck.mostSuperentities else {
        throw .archive("\"\(entity.description.name)\" has too many superentities")
      }
      result.append(ancestor)
      next = ancestor.description.superentity
    }
    return result
  }

  /// Adds what is an entity's own, and tells whether anything of it or above it was left out.
  private static func finish(
    _ listed: ListedEntity, below ancestors: [ListedEntity], into result: inout [EntityDescription]
  ) -> Bool {
    let family = [listed] + ancestors
    func isStored(_ name: String) -> Bool { family.contains { $0.stored.contains(name) } }
    var entity = listed.description
    entity.uniquenessConstraints.removeAll { !$0.allSatisfy(isStored) }
    entity.indexes.removeAll { !$0.properties.allSatisfy(isStored) }
    entity.properties.removeAll { property in
      ancestors.contains { $0.names.contains(property.name) }
    }
    entity.properties = ArchivedElements(entity.properties).gathered
    entity.properties.sort { $0.name < $1.name }
    let isWhole =
      entity.uniquenessConstraints.count == listed.description.uniquenessConstraints.count
    result.append(entity)
    return !isWhole || family.contains { $0.isOpen }
  }
}

/// An entity as it was archived, which may repeat what it inherits.
struct ListedEntity {
  /// With all properties that descriptions can say.
  var description: EntityDescription
  /// The names of all properties.
  var names: Set<String> = []
  /// The names of the properties that there is a column for.
  private(set) var stored: Set<String> = []
  /// Whether something was left out that may enter the version hash.
  var isOpen = false

  init(_ description: EntityDescription) { self.description = description }

  mutating func append(_ property: PropertyDescription) {
    description.properties.append(property)
    if property.isColumn { stored.insert(property.name) }
  }
}

extension ModelReader {
  mutating func entity(_ reference: Int) throws(ArchiveFailure) -> ListedEntity {
    let object = try archive.object(reference)
    guard object.className == "NSEntityDescription", let name = try name(reference) else {
      throw .archive("an entity is no entity")
    }
    var entity = EntityDescription(
      name: name, superentity: try self.name(object.reference("NSSuperentity")),
      isAbstract: object.flag("NSIsAbstract"), properties: [])
    entity.originalNames = try originalNames(of: object, named: name)
    entity.versionHashModifier = try modifier(object)
    entity.indexes = try indexes(object)
    var result = ListedEntity(entity)
    try readConstraints(of: object, into: &result)
    for property in try archive.elements(object.reference("NSProperties")) {
      try readProperty(property, into: &result)
    }
    return result
  }

  /// What a property or an entity had for a name before, if another one.
  mutating func originalNames(
    of object: ArchivedObject, named name: String
  ) throws(ArchiveFailure) -> [String] {
    let original = try archive.text(object.reference("NSRenamingIdentifier"))
    guard let original, !original.isEmpty, original != name else { return [] }
    return [original]
  }

  /// What makes another version hash.
  mutating func modifier(_ object: ArchivedObject) throws(ArchiveFailure) -> String? {
    let modifier = try archive.text(object.reference("NSVersionHashModifier"))
    return modifier == "" ? nil : modifier
  }

  private mutating func readConstraints(
    of object: ArchivedObject, into entity: inout ListedEntity
  ) throws(ArchiveFailure) {
    for constraint in try archive.elements(object.reference("NSUniqueTuples")) {
      var names: [String] = []
      for element in try archive.elements(constraint) {
        if let name = try archive.text(element) { names.append(name) } else { entity.isOpen = true }
      }
      entity.description.uniquenessConstraints.append(names)
    }
  }

  /// The indexes that are nothing but properties.
  private mutating func indexes(
    _ entity: ArchivedObject
  ) throws(ArchiveFailure) -> [IndexDescription] {
    var result: [IndexDescription] = []
    for reference in try archive.elements(entity.reference("NSFetchIndexDescriptions")) {
      let index = try archive.object(reference)
      var properties: [String]? = []
      var descending: Set<String> = []
      for element in try archive.elements(index.reference("NSIndexElements")) {
        let element = try archive.object(element)
        guard element.integer("NSFetchIndexElementType") == 0,
          let name = try archive.text(element.reference("NSPropertyName"))
        else {
          properties = nil
          break
        }
        properties?.append(name)
        if !element.flag("NSAscending") { descending.insert(name) }
      }
      guard let properties, !properties.isEmpty, index.reference("NSPartialIndexPredicate") == nil,
        let name = try archive.text(index.reference("NSIndexName"))
      else { continue }
      var description = IndexDescription(name: name, properties: properties)
      description.descending = descending
      result.append(description)
    }
    return result
  }
}

extension ModelReader {
  /// Adds a property to its entity, or notes that it cannot be said.
  mutating func readProperty(
    _ reference: Int, into entity: inout ListedEntity
  ) throws(ArchiveFailure) {
    var object = try archive.object(reference)
    // Stands for a property of a superentity.
    if object.className == "_NSPropertyDescriptionProxy",
      let underlying = object.reference("NSUnderlyingProperty")
    {
      object = try archive.object(underlying)
    }
    guard let name = try archive.text(object.reference("NSPropertyName")) else {
      throw .archive("a property of \"\(entity.description.name)\" has no name")
    }
    guard entity.names.insert(name).inserted else {
      throw .archive("\"\(entity.description.name)\" has two properties named \"\(name)\"")
    }
    guard let property = try property(of: object, named: name) else {
      // A store keeps nothing of a transient property, and none enters the version hash.
      let isKept =
        object.className != "NSFetchedPropertyDescription" && !object.flag("NSIsTransient")
      if isKept { entity.isOpen = true }
      return
    }
    if object.flag("NSIsReadOnly"), !property.isDerived { entity.isOpen = true }
    entity.append(property)
  }

  /// Nil where there is no description of the kind.
  private mutating func property(
    of object: ArchivedObject, named name: String
  ) throws(ArchiveFailure) -> PropertyDescription? {
    switch object.className {
    case "NSAttributeDescription":
      guard let number = object.integer("NSAttributeType"),
        let type = AttributeType(rawValue: number)
      else { return nil }
      return .attribute(try attribute(of: object, named: name, type: type))
    case "NSDerivedAttributeDescription":
      guard let number = object.integer("NSAttributeType"),
        let type = AttributeType(rawValue: number), let derivation = try derivation(object)
      else { return nil }
      var attribute = try attribute(of: object, named: name, type: type)
      attribute.derivation = derivation
      return .attribute(attribute)
    case "NSRelationshipDescription":
      guard let rule = deleteRule(object) else { return nil }
      return try relationship(of: object, named: name, rule: rule).map { .relationship($0) }
    default: return nil
    }
  }

  private mutating func attribute(
    of object: ArchivedObject, named name: String, type: AttributeType
  ) throws(ArchiveFailure) -> AttributeDescription {
    let flags = AttributeFlags(rawValue: object.integer("NSFlagsKey") ?? 0)
    var attribute = AttributeDescription(
      name: name, type: type, isOptional: object.flag("NSIsOptional"),
      isTransient: object.flag("NSIsTransient"),
      allowsExternalBinaryDataStorage: flags.contains(.external),
      preservesValueInHistoryOnDeletion: flags.contains(.preserved),
      versionHashModifier: try modifier(object))
    if let value = try defaultValue(of: object, as: type) {
      attribute.defaultValue = .constant(value)
    }
    attribute.originalNames = try originalNames(of: object, named: name)
    attribute.compositeName = try archive.text(object.reference(ArchivedElements.nameKey))
    attribute.valueTransformerName = try archive.text(object.reference("NSValueTransformerName"))
    return attribute
  }

  /// Nil for a rule that nobody here knows.
  private func deleteRule(_ object: ArchivedObject) -> RelationshipDescription.DeleteRule? {
    guard let number = object.integer("NSDeleteRule") else { return .nullify }
    return RelationshipDescription.DeleteRule(rawValue: number)
  }

  private mutating func relationship(
    of object: ArchivedObject, named name: String, rule: RelationshipDescription.DeleteRule
  ) throws(ArchiveFailure) -> RelationshipDescription? {
    var destination = try archive.text(object.reference("_NSDestinationEntityName"))
    if destination == nil {
      destination = try self.name(object.reference("NSDestinationEntity"))
    }
    let isTransient = object.flag("NSIsTransient")
    if isTransient, destination == nil { return nil }
    guard let destination else { throw .archive("the relationship \"\(name)\" leads nowhere") }
    let counts = try (count(in: object, for: "NSMinCount"), count(in: object, for: "NSMaxCount"))
    var relationship = RelationshipDescription(
      name: name, destination: destination, inverse: try inverse(object), isToMany: counts.1 != 1,
      isOptional: object.flag("NSIsOptional"),
      deleteRule: rule, minCount: counts.0, maxCount: counts.1,
      isOrdered: object.flag("NSIsOrdered"),
      versionHashModifier: try modifier(object))
    relationship.isTransient = isTransient
    relationship.mayBeEmpty = counts.1 != 1
    relationship.originalNames = try originalNames(of: object, named: name)
    return relationship
  }

  private mutating func inverse(
    _ object: ArchivedObject
  ) throws(ArchiveFailure) -> String? {
    if let name = try archive.text(object.reference("_NSInverseRelationshipName")) { return name }
    guard let reference = object.reference("NSInverseRelationship") else { return nil }
    return try archive.text(archive.object(reference).reference("NSPropertyName"))
  }

  /// A number of destinations, of which the version hash knows 32 bits.
  private func count(
    in object: ArchivedObject, for key: String
  ) throws(ArchiveFailure) -> Int {
    guard let count = object.integer(key) else { throw .archive("a relationship has no \(key)") }
    return Int(Int32(truncatingIfNeeded: count))
  }
}
