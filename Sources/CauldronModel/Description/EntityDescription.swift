/// Describes a kind of object: its name, its own properties in declaration order, and its parent.
///
/// The `@Entity` macro writes the description of a class; an entity can also be described by hand
/// and used without a class of its own:
///
/// ```swift
/// let pet = EntityDescription(
///   name: "Pet", properties: [.attribute(AttributeDescription(name: "name", type: .string))])
/// let model = try ManagedObjectModel(entities: [pet])
/// ```
public struct EntityDescription: Sendable {
  /// The entity's name.
  public var name: String
  /// The name of the entity whose properties this one inherits.
  public var superentity: String?
  /// Whether only subentities can be created.
  public var isAbstract: Bool
  /// The entity's own properties; inherited ones are not repeated.
  public var properties: [PropertyDescription]
  /// The attribute names of each uniqueness constraint; part of the version hash.
  ///
  /// No two objects have the same values in all properties of a constraint; nil is equal to nothing.
  public var uniquenessConstraints: [[String]]
  /// What fetches find quickly; no part of the version hash.
  public var indexes: [IndexDescription]
  /// Fetches that each object has as properties, under their names: `value(forKey:)` runs them anew each time, with
  /// the object as `$FETCH_SOURCE`. No part of the version hash.
  public var fetchedProperties: [FetchRequestTemplate] = []
  /// The names that the entity had before, the oldest last: the store finds it by them when the model
  /// has changed. The oldest is Core Data's renaming identifier; no part of the version hash.
  public var originalNames: [String] = []
  /// Forces another version hash where the definition alone does not change.
  public var versionHashModifier: String?
  /// What the store had of the entity and may be lost when the model has changed: `"fax: String"`; no
  /// part of the version hash.
  public var discards: [String] = []
  /// The attribute by which imports find the objects; nil for the entity's only unique one, or for those that
  /// are unique together. No part of the version hash.
  public var importKey: String?
  /// What a model editor has noted of the entity: imports read MagicalRecord's keys in it. No part of the
  /// version hash.
  public var userInfo: [String: String] = [:]
  /// The class of the entity's objects; nil for plain managed objects.
  public var managedObjectClass: ObjectClass?
  /// Whether the entity has what descriptions cannot say: nobody can tell its version hash, and no store is made
  /// of it.
  package var isPartial = false
  /// The name that a model file has for the class, without its module; nil where there is none.
  package var representedClassName: String?
  /// Whether this describes no entity, but what the entities of derived classes have in common.
  package var isBase = false

  /// The properties with the elements of composite attributes behind these, by their names in the entity.
  package var allProperties: [PropertyDescription] {
    properties.flatMap { property -> [PropertyDescription] in
      guard case .attribute(let attribute) = property else { return [property] }
      return [property] + attribute.allElements.map { .attribute($0) }
    }
  }

  /// Describes an entity; without a class its objects are plain managed objects.
  public init(
    name: String, superentity: String? = nil, isAbstract: Bool = false,
    properties: [PropertyDescription], uniquenessConstraints: [[String]] = [],
    indexes: [IndexDescription] = [], managedObjectClass: ObjectClass? = nil
  ) {
    self.name = name
    self.superentity = superentity
    self.isAbstract = isAbstract
    self.properties = properties
    self.uniquenessConstraints = uniquenessConstraints
    self.indexes = indexes
    self.managedObjectClass = managedObjectClass
  }

  /// The same entity with the names that it had before, and what may be lost of it.
  /// - Note: It serves generated code.
  public func _migrating(
    originalName: String..., discards: [String] = []
  ) -> EntityDescription {
    var entity = self
    entity.originalNames = originalName
    entity.discards = discards
    return entity
  }

  /// The same entity with what only models say of it.
  /// - Note: It serves generated code.
  public func _modelled(
    versionHashModifier: String? = nil, userInfo: [String: String] = [:]
  ) -> EntityDescription {
    var entity = self
    entity.versionHashModifier = versionHashModifier
    entity.userInfo = userInfo
    return entity
  }

  /// The same, as what the entities of derived classes have in common.
  /// - Note: It serves generated code.
  public func _asBase() -> EntityDescription {
    var entity = self
    entity.isBase = true
    return entity
  }

  /// The same entity with all that the class above it says, if that is the base of entities.
  /// - Note: It serves generated code.
  public func _inheriting(_ base: EntityDescription) -> EntityDescription {
    guard base.isBase else { return self }
    var entity = self
    entity.superentity = base.superentity
    entity.isAbstract = isAbstract || base.isAbstract
    entity.properties = base.properties + properties
    entity.uniquenessConstraints = base.uniquenessConstraints + uniquenessConstraints
    entity.indexes = base.indexes + indexes
    entity.originalNames = originalNames.isEmpty ? base.originalNames : originalNames
    entity.discards = base.discards + discards
    entity.versionHashModifier = versionHashModifier ?? base.versionHashModifier
    entity.importKey = importKey ?? base.importKey
    entity.userInfo = base.userInfo.merging(userInfo) { _, own in own }
    return entity
  }

  /// The same entity with the attribute by which imports find its objects.
  /// - Note: It serves generated code.
  public func _importing(by key: String?) -> EntityDescription {
    var entity = self
    entity.importKey = key
    return entity
  }
}

/// A class that implements an entity.
///
/// `@unchecked Sendable` because it holds a class's metadata pointer, which never changes.
public struct ObjectClass: @unchecked Sendable {
  /// The class itself.
  public let type: AnyClass

  /// Wraps a class.
  public init(_ type: AnyClass) { self.type = type }
}

/// Describes an index, which makes fetches that compare or sort by its properties quick.
///
/// ```swift
/// IndexDescription(properties: ["kind", "order"])
/// ```
///
/// Indexes are no part of the version hash: a store that lacks one gets it when it is opened.
public struct IndexDescription: Sendable, Hashable {
  /// The index's name, which must be the only one of its kind in the entity.
  public var name: String
  /// The names of the attributes and to-one relationships, the one that is compared first in front.
  public var properties: [String]
  /// The names of those of them whose greatest value comes first; none by default.
  public var descending: Set<String> = []

  /// Describes an index.
  /// - Parameters:
  ///   - name: Its name; where it is nil, one such as `byKindAndOrder`.
  ///   - properties: The names of the attributes and to-one relationships.
  public init(name: String? = nil, properties: [String]) {
    self.name = name ?? Self.name(of: properties)
    self.properties = properties
  }

  private static func name(of properties: [String]) -> String {
    let parts = properties.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return "by" + parts.joined(separator: "And")
  }
}

/// A fetch that a model has by name, with variables in its condition.
///
/// ```swift
/// FetchRequestTemplate(name: "adults", entityName: "Person", predicateFormat: "age >= $LEAST")
/// ```
public struct FetchRequestTemplate: Sendable, Hashable {
  /// The template's name; of a fetched property, the property's.
  public var name: String
  /// The entity whose objects are fetched.
  public var entityName: String
  /// The condition in Core Data's format; nil for all objects.
  public var predicateFormat: String?
  /// The most objects; 0 for all.
  public var fetchLimit = 0
  /// Whether objects of subentities are fetched, too.
  public var includesSubentities = true

  /// Describes a fetch.
  public init(name: String, entityName: String, predicateFormat: String? = nil) {
    self.name = name
    self.entityName = entityName
    self.predicateFormat = predicateFormat
  }
}
