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
  /// Fetches by name, and the entities of configurations; archives and stores do not keep them here.
  package var fetchRequestTemplates: [FetchRequestTemplate] = []
  package var configurations: [String: [String]] = [:]
  /// The XML that the model was read from.
  package var original: [UInt8]?
  /// The entities that have something which descriptions cannot say, and their subentities.
  ///
  /// A composite attribute of Core Data's archives and what has no type are left out, so that an entity's
  /// version hash may differ from Core Data's.
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

/// Fills in the inverses that only the relationship at the other end names, as a model does; where no
/// relationship leads back, one is one-way.
struct InverseCompletion {
  private let entities: [EntityDescription]
  private let byName: [String: EntityDescription]
  /// The relationships of each entity alone, by the names of their inverses.
  private let naming: [String: [String: [RelationshipDescription]]]

  init(_ entities: [EntityDescription]) {
    self.entities = entities
    byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    naming = byName.mapValues { entity in
      Dictionary(grouping: entity.relationships.filter { $0.inverse != nil }) { $0.inverse ?? "" }
    }
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
    guard case .relationship(var relationship) = property, relationship.inverse == nil,
      !relationship.isTransient
    else {
      return property
    }
    let kinds = Set(family(entity).map(\.name))
    let others = family(relationship.destination).flatMap {
      naming[$0.name]?[relationship.name] ?? []
    }.filter { kinds.contains($0.destination) }
    relationship.inverse = others.count == 1 ? others[0].name : nil
    relationship.isOneWay = others.isEmpty
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

extension PropertyDescription {
  /// Whether a table has a column for the property.
  var isColumn: Bool {
    switch self {
    case .attribute(let attribute): attribute.hasColumn
    case .relationship(let relationship): !relationship.isToMany && !relationship.isTransient
    }
  }

  /// Whether it is an attribute that a store computes.
  var isDerived: Bool {
    if case .attribute(let attribute) = self { attribute.derivation != nil } else { false }
  }
}

/// What `NSFlagsKey` of an attribute says.
struct AttributeFlags: OptionSet {
  let rawValue: Int

  /// Large values may be kept in files.
  static let external = AttributeFlags(rawValue: 4)
  /// History keeps the value after deletion.
  static let preserved = AttributeFlags(rawValue: 16)
}

/// The properties of an entity as an archive has them: the elements of a composite attribute stand beside it, as
/// attributes named `spot.latitude`.
struct ArchivedElements {
  /// The key for the name that the model has for a composite attribute's elements.
  static let nameKey = "CauldronCompositeName"

  private var properties: [PropertyDescription]

  init(_ properties: [PropertyDescription]) { self.properties = properties }

  /// The properties with the elements in their composite attributes.
  var gathered: [PropertyDescription] {
    var copy = self
    let composites = properties.compactMap { property -> String? in
      guard case .attribute(let attribute) = property, attribute.type == .composite else {
        return nil
      }
      return attribute.name
    }
    // The innermost first.
    for name in composites.sorted(by: { $0.count > $1.count }) { copy.gather(name) }
    return copy.properties
  }

  private mutating func gather(_ name: String) {
    guard case .attribute(var whole)? = properties.first(where: { $0.name == name }) else { return }
    let elements = take("\(name).", formerly: whole.originalNames)
    guard let place = properties.firstIndex(where: { $0.name == name }) else { return }
    // The archive has the composite attribute without a column in any case.
    whole.isTransient = elements.allSatisfy(\.isTransient)
    whole.elements = elements.map { element in
      var element = element
      element.isTransient = element.isTransient && !whole.isTransient
      return element
    }
    properties[place] = .attribute(whole)
  }

  /// Takes out the attributes whose names have a beginning, which they lose.
  /// - Parameter wholes: The names that the composite attribute had before.
  private mutating func take(_ prefix: String, formerly wholes: [String]) -> [AttributeDescription]
  {
    var elements: [AttributeDescription] = []
    properties.removeAll { property in
      guard case .attribute(var element) = property, element.name.hasPrefix(prefix) else {
        return false
      }
      element.name = String(element.name.dropFirst(prefix.count))
      let beginnings = [prefix] + wholes.map { "\($0)." }
      element.originalNames = element.originalNames.compactMap { old in
        beginnings.first(where: old.hasPrefix).map { String(old.dropFirst($0.count)) }
      }.filter { $0 != element.name }
      elements.append(element)
      return true
    }
    return elements.sorted { $0.name < $1.name }
  }
}
