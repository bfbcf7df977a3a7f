import CauldronModel

/// Archives a model in the form of a `.mom` file: plain dictionaries, and own properties only.
///
/// `Z_MODELCACHE` as Core Data writes it repeats inherited properties and keeps entities in a
/// dictionary with fixed keys; both are forms of a model that is in use already.
struct ModelWriter {
  private let model: StoredModel
  var archive = KeyedArchiveWriter()
  private let root: Int
  /// The places of the entities.
  private var entities: [String: Int] = [:]
  /// The places of their own properties.
  private var properties: [String: [String: Int]] = [:]
  private let superentities: [String: String]
  private var userInfo = KeyedArchiveWriter.null

  init(_ model: StoredModel) {
    self.model = model
    superentities = Dictionary(
      model.entities.compactMap { entity in entity.superentity.map { (entity.name, $0) } }
    ) { first, _ in first }
    root = archive.reserve()
    for entity in model.entities {
      entities[entity.name] = archive.reserve()
      for property in entity.properties {
        properties[entity.name, default: [:]][property.name] = archive.reserve()
      }
    }
  }

  mutating func bytes() -> [UInt8] {
    let empty = PropertyListTree.array([])
    userInfo = archive.object(["NSDictionary"], ["NS.keys": empty, "NS.objects": empty])
    let list = archive.dictionary(
      model.entities.map { ($0.name, place(ofEntity: $0.name)) })
    let identifiers = archive.set(model.versionIdentifiers.map { archive.text($0) })
    archive.object(
      ["NSManagedObjectModel"],
      [
        "NSEntities": .reference(list), "NSFetchRequestTemplates": .null,
        "NSVersionIdentifiers": .reference(identifiers),
      ], at: root)
    for entity in model.entities { write(entity) }
    return archive.bytes(root: root)
  }

  func place(ofEntity name: String) -> Int { entities[name] ?? KeyedArchiveWriter.null }

  /// The place of a property of an entity, which may be declared by a superentity.
  func place(of property: String, in entity: String) -> Int {
    var next: String? = entity
    var seen: Set<String> = []
    while let name = next, seen.insert(name).inserted {
      if let place = properties[name]?[property] { return place }
      next = superentities[name]
    }
    return KeyedArchiveWriter.null
  }

  private mutating func write(_ entity: EntityDescription) {
    let children = model.entities.filter { $0.superentity == entity.name }
    let subentities = archive.dictionary(children.map { ($0.name, place(ofEntity: $0.name)) })
    for property in entity.properties { write(property, of: entity.name) }
    let properties = archive.dictionary(
      entity.properties.map { ($0.name, place(of: $0.name, in: entity.name)) })
    var fields: [String: PropertyListTree] = [
      "NSEntityName": .reference(archive.text(entity.name)), "NSClassNameForEntity": .null,
      "NSRenamingIdentifier": .reference(archive.text(entity.originalNames.last ?? entity.name)),
      "NSManagedObjectModel": .reference(root), "NSUserInfo": .reference(userInfo),
      "NSSuperentity": .reference(entity.superentity.map { place(ofEntity: $0) } ?? 0),
      "NSSubentities": .reference(subentities), "NSProperties": .reference(properties),
      "NSVersionHashModifier": .null,
    ]
    if entity.isAbstract { fields["NSIsAbstract"] = .boolean(true) }
    addConstraints(of: entity, to: &fields)
    addIndexes(of: entity, to: &fields)
    archive.object(["NSEntityDescription"], fields, at: place(ofEntity: entity.name))
  }

  private mutating func addConstraints(
    of entity: EntityDescription, to fields: inout [String: PropertyListTree]
  ) {
    guard !entity.uniquenessConstraints.isEmpty else { return }
    let constraints = entity.uniquenessConstraints.map { names($0) }
    fields["NSUniqueTuples"] = .reference(archive.array(constraints))
  }

  /// An array of texts.
  mutating func names(_ names: [String]) -> Int {
    archive.array(names.map { archive.text($0) })
  }
}

extension PropertyListTree {
  /// A reference to nil.
  static var null: PropertyListTree { .reference(KeyedArchiveWriter.null) }
}
