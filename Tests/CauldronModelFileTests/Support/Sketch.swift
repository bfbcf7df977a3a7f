@testable import CauldronArchive
@testable import CauldronModelFile

/// An archive that is made object by object, for what no model of ours would have.
struct Sketch {
  var archive = KeyedArchiveWriter()
  private let root: Int
  private var entities: [Int] = []

  init() { root = archive.reserve() }

  /// Adds an entity.
  mutating func entity(
    _ name: String, superentity: Int? = nil, _ properties: [Int] = [],
    _ more: [String: PropertyListTree] = [:]
  ) -> Int {
    let list = archive.array(properties)
    let fields: [String: PropertyListTree] = [
      "NSEntityName": .reference(archive.text(name)), "NSProperties": .reference(list),
      "NSSuperentity": .reference(superentity ?? 0),
    ]
    let place = archive.object(["NSEntityDescription"], with: fields.merging(more) { $1 })
    entities.append(place)
    return place
  }

  /// Adds a property of some class.
  mutating func property(
    _ kind: String, _ name: String, _ more: [String: PropertyListTree] = [:]
  ) -> Int {
    let fields: [String: PropertyListTree] = ["NSPropertyName": .reference(archive.text(name))]
    return archive.object([kind, "NSPropertyDescription"], with: fields.merging(more) { $1 })
  }

  mutating func attribute(
    _ name: String, _ type: Int, _ more: [String: PropertyListTree] = [:]
  ) -> Int {
    property(
      "NSAttributeDescription", name,
      ["NSAttributeType": .integer(type)].merging(more) { $1 })
  }

  /// The model, with its entities in a dictionary of fixed keys that has a gap.
  mutating func model() throws(ArchiveFailure) -> StoredModel {
    let gap = archive.text("__empty")
    let values = archive.array([gap] + entities)
    let list = archive.object(
      ["NSKnownKeysDictionary1"],
      with: ["values": .reference(values), "emptyToken": .reference(gap)])
    archive.object(["NSManagedObjectModel"], with: ["NSEntities": .reference(list)], at: root)
    return try StoredModel(archive: archive.bytes(root: root))
  }
}
