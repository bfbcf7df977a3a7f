import CauldronModel

/// Finds what the names mean that a step uses.
final class MigrationNames {
  let mapping: ModelMapping
  /// What names of the store have been found to mean, by the numbers of entities.
  private var found: [Int32: [String: MigrationProperty]] = [:]

  init(mapping: ModelMapping) { self.mapping = mapping }

  /// The rows of an entity and of those below it, by the name in the store or else in the model; in
  /// parts, since what was one table may have become several.
  func rows(_ name: String) throws -> [MigrationRows] {
    guard let old = mapping.source.layout(named: name) else {
      let entity = try new(name)
      return [MigrationRows(entity.family.map(\.entity), isGone: false)]
    }
    var parts: [MigrationRows] = []
    var entities = old.family.compactMap { mapping.destination(of: $0.entity) }
    if let new = mapping.destination(of: old) {
      // Those that came below it may have objects by now.
      entities += new.family.map(\.entity).filter { mapping.source(of: $0) == nil }
    }
    for entity in entities.sorted(by: { $0.number < $1.number }) {
      if parts.last?.entities.first?.root === entity.root {
        parts[parts.count - 1].entities.append(entity)
      } else {
        parts.append(MigrationRows([entity], isGone: false))
      }
    }
    let gone = old.family.map(\.entity).filter { mapping.destination(of: $0) == nil }
    return gone.isEmpty ? parts : parts + [MigrationRows(gone, isGone: true)]
  }

  /// An entity of the model.
  func new(_ name: String) throws -> EntityLayout {
    if let entity = mapping.destination.layout(named: name) { return entity }
    throw noPath(
      "The model has no entity \"\(name)\".", entity: name,
      among: mapping.destination.entityLayouts.map(\.name))
  }

  /// An entity of the model that has objects of its own.
  func concrete(_ name: String) throws -> EntityLayout {
    let entity = try new(name)
    guard entity.isAbstract else { return entity }
    throw noPath("\"\(name)\" is abstract and has no objects of its own.", entity: name, among: [])
  }

  /// An attribute of an entity of the model.
  func attribute(_ name: String, in entity: EntityLayout) throws -> PropertyLayout {
    let property = try property(name, in: entity, of: "model")
    guard property.attributeType != nil else { throw noAttribute(property, of: entity) }
    return property
  }

  /// A relationship of an entity of the model.
  func relationship(_ name: String, in entity: EntityLayout) throws -> PropertyLayout {
    let property = try property(name, in: entity, of: "model")
    try requireRelationship(MigrationProperty(property, entity, isOld: false))
    return property
  }

  func requireRelationship(_ property: MigrationProperty) throws {
    guard !property.property.isRelationship else { return }
    throw noPath(
      "\(property.entity.name).\(property.property.name) is no relationship.",
      entity: property.entity.name, among: [])
  }

  /// A property of the store, where its values are.
  func old(_ name: String, of place: MigrationPlace) throws -> MigrationProperty {
    // Entities of the store and of the model may have the same numbers.
    let number = place.isGone ? -place.entity.number : place.entity.number
    if let known = found[number]?[name] { return known }
    let property = try findOld(name, of: place)
    found[number, default: [:]][name] = property
    return property
  }

  private func findOld(_ name: String, of place: MigrationPlace) throws -> MigrationProperty {
    if place.isGone {
      return MigrationProperty(
        try property(name, in: place.entity, of: "store"), place.entity, isOld: true)
    }
    guard let entity = mapping.source(of: place.entity) else {
      return MigrationProperty(
        try property(name, in: place.entity, of: "model"), place.entity, isOld: false)
    }
    let property = try property(name, in: entity, of: "store")
    if let new = mapping.destination(of: property, in: entity), new.goesOn(with: property) {
      return MigrationProperty(new, place.entity, isOld: false)
    }
    return MigrationProperty(property, entity, isOld: true)
  }

  private func property(
    _ name: String, in entity: EntityLayout, of side: String
  ) throws -> PropertyLayout {
    if let index = entity.index(of: name), entity.properties[index].isStored {
      return entity.properties[index]
    }
    throw noPath(
      "\(entity.name) has no property \"\(name)\" in the \(side).", entity: entity.name,
      among: entity.declaredProperties.filter(\.isStored).map(\.name)
    ).with { $0.property = name }
  }

  /// The error of a name that leads nowhere.
  func noPath(_ sentence: String, entity: String, among candidates: [String]) -> CauldronError {
    let name = sentence.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
    return CauldronError(
      .migrationNoPath, sentence, hint: Suggestion.hint(for: name, among: candidates)
    ).with { $0.entity = entity }
  }

  func noAttribute(_ property: PropertyLayout, of entity: EntityLayout) -> CauldronError {
    noPath(
      "\(entity.name).\(property.name) is a relationship: use links(_:) and link(_:to:).",
      entity: entity.name, among: []
    ).with { $0.property = property.name }
  }

  /// The error of a value that an attribute cannot have; the value stays unsaid.
  func mismatch(_ property: PropertyLayout, of entity: EntityLayout) -> CauldronError {
    CauldronError(
      .queryTypeMismatch,
      "A value for \(entity.name).\(property.name) is none of \(property.typeName)."
    ).with {
      $0.entity = entity.name
      $0.property = property.name
    }
  }
}

extension CauldronError {
  /// The same error, about a property.
  func about(_ entity: EntityLayout, property: PropertyLayout) -> CauldronError {
    with {
      $0.entity = entity.name
      $0.property = property.name
    }
  }
}
