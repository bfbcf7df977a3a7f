import Cauldron
import Foundation
import TestSupport
import Testing

/// What several entities have, and no entity itself.
@Entity(isBase: true, userInfo: ["origin": "stamped"]) class Stamped: ManagedObject {
  #Index<Stamped>([\.stamped])

  var stamped: Int = 0
}

/// As the build plugin makes it of a model.
@Entity(originalName: "Rack", isBase: true, versionHashModifier: "two") class _Shelf: Stamped {
  @Attribute(.unique) var label: String = ""
  @Attribute(preservesValueInHistoryOnDeletion: true, userInfo: ["mappedKeyName": "width"])
  var size: Int?
  @Relationship(isOptional: false) var volumes: ToMany<Volume>
}

@Entity class Shelf: _Shelf {
  @Transient var isOpen: Bool = true
  override func willSave() { if stamped == 0 { stamped = 7 } }
}

@Entity final class TopShelf: Shelf {
  var height: Double = 2
}

@Entity final class Volume: Stamped {
  var title: String = ""
  @Relationship(inverse: \Shelf.volumes, versionHashModifier: "three") var shelf: Shelf?
}

/// Entities whose properties stand in classes above them.
@Suite(.againstHanging) struct BaseClassTests {
  private func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(Shelf.self, TopShelf.self, Volume.self)
  }

  @Test func `a base class is no entity, and its properties are those of each entity below`() throws {
    let model = try model()
    let entities = Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, $0) })
    #expect(entities.keys.sorted() == ["Shelf", "TopShelf", "Volume"])
    #expect(entities["Shelf"]?.superentity == nil)
    #expect(entities["TopShelf"]?.superentity == "Shelf")
    #expect(
      entities["Shelf"]?.properties.map(\.name) == [
        "stamped", "label", "size", "volumes", "isOpen",
      ])
    #expect(entities["Shelf"]?.originalNames == ["Rack"])
    #expect(entities["Shelf"]?.versionHashModifier == "two")
    #expect(entities["Shelf"]?.userInfo == ["origin": "stamped"])
    #expect(entities["Shelf"]?.uniquenessConstraints == [["label"]])
    #expect(entities["Volume"]?.indexes.map(\.properties) == [["stamped"]])
    #expect(entities["TopShelf"]?.properties.map(\.name) == ["height"])
  }

  @Test func `the version hash is that of entities without a base class`() throws {
    var size = AttributeDescription(name: "size", type: .integer64, isOptional: true)
    size.preservesValueInHistoryOnDeletion = true
    var shelf = EntityDescription(
      name: "Shelf",
      properties: [
        .attribute(AttributeDescription(name: "stamped", type: .integer64, isOptional: false)),
        .attribute(AttributeDescription(name: "label", type: .string, isOptional: false)),
        .attribute(size),
        .relationship(
          RelationshipDescription(
            name: "volumes", destination: "Volume", inverse: "shelf", isToMany: true,
            isOptional: false)),
      ], uniquenessConstraints: [["label"]])
    shelf.versionHashModifier = "two"
    let top = EntityDescription(
      name: "TopShelf", superentity: "Shelf",
      properties: [
        .attribute(AttributeDescription(name: "height", type: .double, isOptional: false))
      ])
    let volume = EntityDescription(
      name: "Volume",
      properties: [
        .attribute(AttributeDescription(name: "stamped", type: .integer64, isOptional: false)),
        .attribute(AttributeDescription(name: "title", type: .string, isOptional: false)),
        .relationship(
          RelationshipDescription(
            name: "shelf", destination: "Shelf", inverse: "volumes", isToMany: false,
            versionHashModifier: "three")),
      ])
    let plain = try ManagedObjectModel(entities: [shelf, top, volume])
    #expect(try model().differences(from: plain) == [])
    #expect(try model().versionHashes == plain.versionHashes)
  }

  @Test(arguments: StoreKind.allCases)
  func `objects are saved, found by key paths, linked and hooked`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: model())
    let context = bench.child()
    let shelf = TopShelf.create(in: context)
    (shelf.label, shelf.size) = ("a", 3)
    let volume = Volume.create(in: context)
    volume.title = "Emma"
    volume.shelf = shelf
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child()
    let found = try #require(try Shelf.findFirst(\.label, "a", in: other))
    #expect(found is TopShelf && found.stamped == 7 && found.isOpen)
    #expect(found.volumes.map(\.title) == ["Emma"])
    #expect(try Volume.query.filter { $0.shelf.label == "a" }.count(in: other) == 1)
    #expect(try Shelf.query.sorted(by: \.stamped).fetch(in: other).count == 1)
    // A to-many relationship that is not optional and has no least number may be empty, as in Core Data.
    found.volumes = []
    try other.saveAndWait(toPersistentStore: true)
    #expect(try Volume.count(in: bench.child()) == 1)
  }
}
