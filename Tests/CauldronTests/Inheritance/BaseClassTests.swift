import Cauldron
import Foundation
import TestSupport
import Testing

/// What several entities have, and no entity itself.
@Entity(isBase: true, userInfo: ["origin": "stamped"]) class BaseStamp: ManagedObject {
  #Index<BaseStamp>([\.stamped])

  var stamped: Int = 0
}

/// As the build plugin makes it of a model.
@Entity(originalName: "Rack", isBase: true, versionHashModifier: "two") class _Ledge: BaseStamp {
  @Attribute(.unique) var label: String = ""
  @Attribute(preservesValueInHistoryOnDeletion: true, userInfo: ["mappedKeyName": "width"])
  var size: Int?
  @Relationship(isOptional: false) var volumes: ToMany<LedgeLeaf>
}

@Entity class Ledge: _Ledge {
  @Transient var isOpen: Bool = true
  @Transient var reads: Int = 0
  override func awakeFromFetch() { reads += 1 }
  override func willSave() { if stamped == 0 { stamped = 7 } }
}

@Entity final class TopLedge: Ledge {
  var height: Double = 2
}

@Entity final class LedgeLeaf: BaseStamp {
  var title: String = ""
  @Relationship(inverse: \Ledge.volumes, versionHashModifier: "three") var shelf: Ledge?
}

/// Entities whose properties stand in classes above them.
@Suite(.againstHanging) struct BaseClassTests {
  private func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(Ledge.self, TopLedge.self, LedgeLeaf.self)
  }

  @Test func `a base class is no entity, and its properties are those of each entity below`() throws
  {
    let model = try model()
    let entities = Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, $0) })
    #expect(entities.keys.sorted() == ["Ledge", "LedgeLeaf", "TopLedge"])
    #expect(entities["Ledge"]?.superentity == nil)
    #expect(entities["TopLedge"]?.superentity == "Ledge")
    #expect(
      entities["Ledge"]?.properties.map(\.name) == [
        "stamped", "label", "size", "volumes", "isOpen", "reads",
      ])
    #expect(entities["Ledge"]?.originalNames == ["Rack"])
    #expect(entities["Ledge"]?.versionHashModifier == "two")
    #expect(entities["Ledge"]?.userInfo == ["origin": "stamped"])
    #expect(entities["Ledge"]?.uniquenessConstraints == [["label"]])
    #expect(entities["LedgeLeaf"]?.indexes.map(\.properties) == [["stamped"]])
    #expect(entities["TopLedge"]?.properties.map(\.name) == ["height"])
  }

  @Test func `the version hash is that of entities without a base class`() throws {
    var size = AttributeDescription(name: "size", type: .integer64, isOptional: true)
    size.preservesValueInHistoryOnDeletion = true
    var shelf = EntityDescription(
      name: "Ledge",
      properties: [
        .attribute(AttributeDescription(name: "stamped", type: .integer64, isOptional: false)),
        .attribute(AttributeDescription(name: "label", type: .string, isOptional: false)),
        .attribute(size),
        .relationship(
          RelationshipDescription(
            name: "volumes", destination: "LedgeLeaf", inverse: "shelf", isToMany: true,
            isOptional: false)),
      ], uniquenessConstraints: [["label"]])
    shelf.versionHashModifier = "two"
    let top = EntityDescription(
      name: "TopLedge", superentity: "Ledge",
      properties: [
        .attribute(AttributeDescription(name: "height", type: .double, isOptional: false))
      ])
    let volume = EntityDescription(
      name: "LedgeLeaf",
      properties: [
        .attribute(AttributeDescription(name: "stamped", type: .integer64, isOptional: false)),
        .attribute(AttributeDescription(name: "title", type: .string, isOptional: false)),
        .relationship(
          RelationshipDescription(
            name: "shelf", destination: "Ledge", inverse: "volumes", isToMany: false,
            versionHashModifier: "three")),
      ])
    let plain = try ManagedObjectModel(entities: [shelf, top, volume])
    #expect(try model().differences(from: plain) == [])
    #expect(try model().entityVersionHashesByName == plain.entityVersionHashesByName)
  }

  @Test(arguments: StoreKind.allCases)
  func `objects are saved, found by key paths, linked and hooked`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: model())
    let context = bench.child()
    let shelf = TopLedge.create(in: context)
    (shelf.label, shelf.size) = ("a", 3)
    let volume = LedgeLeaf.create(in: context)
    volume.title = "Emma"
    volume.shelf = shelf
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child()
    let found = try #require(try Ledge.findFirst(\.label, "a", in: other))
    #expect(found is TopLedge && found.stamped == 7 && found.isOpen)
    #expect(found.volumes.map(\.title) == ["Emma"])
    #expect(try LedgeLeaf.count(where: { $0.shelf.label == "a" }, in: other) == 1)
    #expect(try Ledge.findAll(sortedBy: { $0.stamped }, in: other).count == 1)
    // A to-many relationship that is not optional and has no least number may be empty, as in Core Data.
    found.volumes = []
    try other.saveAndWait(toPersistentStore: true)
    #expect(try LedgeLeaf.count(in: bench.child()) == 1)
  }

  @Test func `reading what a base class declares calls awakeFromFetch of the class below`() throws {
    let bench = try Bench(.file, model: model())
    let context = bench.child()
    let ledge = Ledge.create(in: context)
    ledge.label = "a"
    let leaf = LedgeLeaf.create(in: context)
    leaf.shelf = ledge
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child()
    let found = try #require(try LedgeLeaf.findFirst(\.title, "", in: other)?.shelf)
    #expect(found.isFault)
    #expect(found.label == "a" && found.reads == 1)
  }

  @Test func `a base class is refused as an entity of a model`() {
    let error = #expect(throws: CauldronError.self) {
      try ManagedObjectModel(_Ledge.self, LedgeLeaf.self)
    }
    #expect(error?.message.contains("_Ledge is the base of entities, and no entity") == true)
  }
}
