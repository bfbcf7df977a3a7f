/// The entities of a store, checked and frozen.
///
/// ```swift
/// let model = try ManagedObjectModel(entities: [pet, owner])
/// ```
///
/// `@unchecked Sendable` because nothing changes after `init`, neither what `layoutTable` points to.
public final class ManagedObjectModel: @unchecked Sendable {
  /// The model's name in messages.
  public let name: String
  /// Strings that the developer gives a version; stored, never interpreted.
  public let versionIdentifiers: [String]
  /// The fetches that the model has by name.
  public let fetchRequestTemplates: [FetchRequestTemplate]
  /// The names of the entities in each configuration; see ``configuration(named:)``.
  public let configurations: [String: [String]]
  /// The entities in the order of their numbers, and then the joins of many-to-many relationships;
  /// `layouts[i].number` is `i + 1`.
  @usableFromInline package let layouts: [EntityLayout]
  /// The same as a table that can be read without retaining anything.
  package let layoutTable: UnsafePointer<EntityLayout.Unowned>
  /// The entities alone.
  package let entityLayouts: [EntityLayout]
  /// Whether there are derived attributes.
  package let hasDerived: Bool
  /// The XML that the model was read from, so that it is written as it was; nil for any other model.
  package let source: [UInt8]?
  private let layoutsByName: [String: EntityLayout]

  /// Builds a model from entity descriptions.
  ///
  /// A relationship without an inverse in its description gets the one that the other side names.
  /// - Parameters:
  ///   - entities: Every entity, subentities included, in any order.
  ///   - name: The model's name in messages.
  ///   - versionIdentifiers: Strings that are written to the store beside the version hashes.
  ///   - fetchRequestTemplates: Fetches by name.
  ///   - configurations: The names of entities, by those of the configurations that they belong to.
  /// - Throws: ``CauldronError`` with code `modelInvalid`, naming entity and property.
  /// - Complexity: O(*n* log *n*) in the number of properties.
  public convenience init(
    entities: [EntityDescription], name: String = "Model", versionIdentifiers: [String] = [],
    fetchRequestTemplates: [FetchRequestTemplate] = [], configurations: [String: [String]] = [:]
  ) throws {
    try self.init(
      entities: entities, name: name, versionIdentifiers: versionIdentifiers,
      fetchRequestTemplates: fetchRequestTemplates, configurations: configurations, source: nil)
  }

  /// The same of a model in XML.
  package init(
    entities: [EntityDescription], name: String, versionIdentifiers: [String],
    fetchRequestTemplates: [FetchRequestTemplate], configurations: [String: [String]],
    source: [UInt8]?
  ) throws {
    self.source = source
    self.name = name
    self.versionIdentifiers = versionIdentifiers
    self.fetchRequestTemplates = fetchRequestTemplates
    self.configurations = configurations
    layouts = try ModelBuilder(entities: entities).build()
    entityLayouts = layouts.filter { !$0.isJoin }
    hasDerived = entityLayouts.contains { !$0.digest.derived.isEmpty }
    layoutsByName = Dictionary(uniqueKeysWithValues: entityLayouts.map { ($0.name, $0) })
    let table = UnsafeMutableBufferPointer<EntityLayout.Unowned>.allocate(
      capacity: max(1, layouts.count))
    _ = table.initialize(from: layouts.map(EntityLayout.Unowned.init))
    layoutTable = UnsafePointer(table.baseAddress.unsafelyUnwrapped)
  }

  deinit { layoutTable.deallocate() }

  /// The descriptions that the model was made from, in the order of their entity numbers.
  public var entities: [EntityDescription] { entityLayouts.map(\.description) }

  /// The names of the entities that have a property which is not understood, such as an attribute of an unknown type:
  /// it was left out when the model was read, so that no store is made of the model, or migrated to it.
  public var incompleteEntities: [String] { entityLayouts.filter(\.isPartial).map(\.name) }

  /// The model of the entities in a configuration, with those that they inherit from: a store of it has no other
  /// tables.
  ///
  /// ```swift
  /// try setupStack(storeURL: url, model: model.configuration(named: "Local"))
  /// ```
  /// - Throws: ``CauldronError`` with code `modelInvalid` where the model has no such configuration, or a relationship
  ///   leads out of it.
  public func configuration(named name: String) throws -> ManagedObjectModel {
    guard let members = configurations[name] else {
      throw CauldronError.modelInvalid(
        "it has no configuration \"\(name)\"; it has \(configurations.keys.sorted())")
    }
    var names: Set<String> = []
    for member in members {
      var next = layoutsByName[member]
      while let layout = next, names.insert(layout.name).inserted { next = layout.superentity }
    }
    return try ManagedObjectModel(
      entities: entities.filter { names.contains($0.name) }, name: self.name,
      versionIdentifiers: versionIdentifiers,
      fetchRequestTemplates: fetchRequestTemplates.filter { names.contains($0.entityName) })
  }

  /// The properties of an entity with those that it inherits, which come first; none where the model has no such
  /// entity. A description has those alone that are the entity's own.
  public func properties(ofEntityNamed name: String) -> [PropertyDescription] {
    layoutsByName[name]?.declaredProperties.map(\.description) ?? []
  }

  /// The SHA-256 version hash of each entity, as Core Data computes it.
  public var entityVersionHashesByName: [String: [UInt8]] {
    layoutsByName.mapValues(\.versionHash)
  }

  package func layout(named name: String) -> EntityLayout? { layoutsByName[name] }

  @inlinable
  package func layout(number: Int32) -> EntityLayout? {
    layouts.indices.contains(Int(number) - 1) ? layouts[Int(number) - 1] : nil
  }
}
