import CauldronModel
import Foundation
import Testing

@testable import CauldronArchive
@testable import CauldronModelFile

@Suite("Archives that only Core Data writes")
struct SketchTests {
  @Test("Inherited properties are left to the superentity, be they repeated or proxies")
  func inherited() throws {
    var sketch = Sketch()
    let name = sketch.attribute("name", 700)
    let age = sketch.attribute("age", 100)
    let parent = sketch.entity("Parent", [name, age])
    let proxy = sketch.archive.object(
      ["_NSPropertyDescriptionProxy"], with: ["NSUnderlyingProperty": .reference(name)])
    let repeated = sketch.attribute("age", 100)
    let own = sketch.attribute("own", 1100)
    let child = sketch.entity("Child", superentity: parent, [proxy, repeated, own])
    _ = sketch.entity("Grandchild", superentity: child, [proxy, own])
    let model = try sketch.model()
    #expect(model.entities.map(\.name) == ["Child", "Grandchild", "Parent"])
    #expect(model.entities.map { $0.properties.map(\.name) } == [["own"], [], ["age", "name"]])
    #expect(model.entities.map(\.superentity) == ["Parent", "Child", nil])
    #expect(model.open.isEmpty)
  }

  @Test(
    "Entities with what descriptions cannot say are open, and so are their subentities",
    arguments: [
      "NSDerivedAttributeDescription", "NSCompositeAttributeDescription", "NSSomethingNew",
    ])
  func open(kind: String) throws {
    var sketch = Sketch()
    let strange = sketch.property(kind, "strange", ["NSAttributeType": .integer(300)])
    let plain = sketch.attribute("plain", 300)
    let parent = sketch.entity("Parent", [strange, plain])
    _ = sketch.entity("Child", superentity: parent, [strange])
    _ = sketch.entity("Other", [plain])
    let model = try sketch.model()
    #expect(model.open == ["Parent", "Child"])
    #expect(model.entities.flatMap { $0.properties.map(\.name) } == ["plain", "plain"])
  }

  @Test("Types and rules without a number of ours, and read-only properties, are open")
  func openProperties() throws {
    var sketch = Sketch()
    let undefined = sketch.attribute("undefined", 0, ["NSIsTransient": .boolean(true)])
    _ = sketch.entity("A", [undefined])
    let readOnly = sketch.attribute("readOnly", 700, ["NSIsReadOnly": .boolean(true)])
    _ = sketch.entity("B", [readOnly])
    let transient = sketch.property(
      "NSRelationshipDescription", "transient", ["NSIsTransient": .boolean(true)])
    _ = sketch.entity("C", [transient])
    let fetched = sketch.property("NSFetchedPropertyDescription", "fetched")
    _ = sketch.entity("D", [fetched])
    let rule = sketch.property("NSRelationshipDescription", "rule", ["NSDeleteRule": .integer(4)])
    _ = sketch.entity("E", [rule])
    let model = try sketch.model()
    #expect(model.open == ["B", "E"])
    #expect(model.entities.map(\.properties.count) == [1, 1, 0, 0, 0])
  }

  @Test("Texts are read that could be changed when they were archived")
  func mutableTexts() throws {
    var sketch = Sketch()
    func mutable(_ text: String) -> PropertyListTree {
      let characters = sketch.archive.text(text)
      return .reference(
        sketch.archive.object(["NSMutableString"], with: ["NS.string": .reference(characters)]))
    }
    let name = sketch.attribute("name", 700, ["NSVersionHashModifier": mutable("3")])
    _ = sketch.entity(
      "A", [name],
      ["NSVersionHashModifier": mutable("2"), "NSRenamingIdentifier": mutable("Before")])
    let model = try sketch.model()
    #expect(model.open.isEmpty)
    #expect(model.entities[0].versionHashModifier == "2")
    #expect(model.entities[0].originalNames == ["Before"])
    #expect(model.entities[0].attribute("name")?.versionHashModifier == "3")
    let again = try StoredModel(archive: model.archive())
    #expect(again.entities[0].versionHashModifier == "2")
  }

  @Test("The modifier of an entity makes another hash, behind the properties")
  func modifiers() throws {
    func hash(_ modifier: String?) throws -> [UInt8]? {
      var entity = EntityDescription(
        name: "A", properties: [.attribute(AttributeDescription(name: "x", type: .string))])
      entity.versionHashModifier = modifier
      return try StoredModel(entities: [entity]).hashes()["A"]
    }
    #expect(try hash(nil) == hash(""))
    #expect(try hash(nil) != hash("2"))
    #expect(try hash("2") != hash("3"))
  }

  @Test("Constraints and indexes of properties that are left out are left out, too")
  func constraints() throws {
    var sketch = Sketch()
    let derived = sketch.property("NSDerivedAttributeDescription", "derived")
    let name = sketch.attribute("name", 700)
    let tuples = [["name"], ["name", "derived"]].map { names in
      sketch.archive.array(names.map { sketch.archive.text($0) })
    }
    let constraints = sketch.archive.array(tuples)
    _ = sketch.entity("A", [derived, name], ["NSUniqueTuples": .reference(constraints)])
    let entity = try sketch.model().entities[0]
    #expect(entity.uniquenessConstraints == [["name"]])
  }

  @Test("A relationship of an old archive names its ends by the objects alone")
  func oldRelationship() throws {
    var sketch = Sketch()
    let (to, from) = (sketch.archive.reserve(), sketch.archive.reserve())
    let company = sketch.entity("Company", [from])
    let person = sketch.entity("Person", [to])
    for (place, name, end, inverse, most) in [
      (to, "employer", company, from, 1), (from, "staff", person, to, -1),
    ] {
      let text = sketch.archive.text(name)
      sketch.archive.object(
        ["NSRelationshipDescription"],
        with: [
          "NSPropertyName": .reference(text), "NSDestinationEntity": .reference(end),
          "NSInverseRelationship": .reference(inverse), "NSMinCount": .integer(0),
          "NSMaxCount": .integer(most == -1 ? .max : most),
        ], at: place)
    }
    let model = try sketch.model()
    let staff = try #require(model.entities[0].relationship("staff"))
    let employer = try #require(model.entities[1].relationship("employer"))
    #expect((staff.destination, staff.inverse) == ("Person", "employer"))
    #expect((staff.isToMany, staff.maxCount) == (true, -1))
    #expect((employer.destination, employer.inverse) == ("Company", "staff"))
    #expect((employer.isToMany, employer.isOptional) == (false, false))
    #expect(try model.hashes().count == 2)
  }

  @Test(
    "Defaults in other forms are read, and those that a type cannot have are not",
    arguments: [
      (500, .integer(2), .real(2)), (800, .integer(1), .integer(1)), (300, .real(7), .integer(7)),
      (300, .real(7.5), nil), (100, .integer(70_000), nil), (700, .integer(1), nil),
      (400, .integer(12), .text("12")), (400, .real(0.5), .text("0.5")),
      (500, .real(.nan), nil), (1_800, .text("x"), nil), (900, .real(1), nil),
    ] as [(Int, PropertyListTree, AttributeScalar?)])
  func defaults(type: Int, value: PropertyListTree, expected: AttributeScalar?) throws {
    var sketch = Sketch()
    let place = sketch.archive.append(value)
    let attribute = sketch.attribute("a", type, ["NSDefaultValue": .reference(place)])
    _ = sketch.entity("A", [attribute])
    #expect(try Self.defaultValue(sketch.model()) == expected)
  }

  @Test(
    "Defaults that are objects of Foundation",
    arguments: [
      (900, "NSDate", ["NS.time": .real(1.5)], .real(1.5)),
      (1_000, "NSMutableData", ["NS.data": .data([1, 2])], .blob(Data([1, 2]))),
      (1_100, "NSUUID", ["NS.uuidbytes": .data([1, 2])], nil),
      (1_200, "NSURL", ["NS.relative": .integer(1)], nil),
      (1_800, "Cover", ["text": .integer(1)], nil),
      (
        400, "NSDecimalNumber",
        [
          "NS.mantissa": .data([0x01, 0x02] + [UInt8](repeating: 0xFF, count: 14)),
          "NS.mantissa.bo": .integer(2), "NS.length": .integer(1), "NS.exponent": .integer(-1),
          "NS.negative": .boolean(true),
        ], .text("-25.8")
      ),
    ] as [(Int, String, [String: PropertyListTree], AttributeScalar?)])
  func objects(
    type: Int, kind: String, fields: [String: PropertyListTree], expected: AttributeScalar?
  ) throws {
    var sketch = Sketch()
    let place = sketch.archive.object([kind], with: fields)
    let attribute = sketch.attribute("a", type, ["NSDefaultValue": .reference(place)])
    _ = sketch.entity("A", [attribute])
    #expect(try Self.defaultValue(sketch.model()) == expected)
  }

  private static func defaultValue(_ model: StoredModel) -> AttributeScalar? {
    guard case .constant(let value) = model.entities.first?.attribute("a")?.defaultValue else {
      return nil
    }
    return value
  }

  @Test("Entities that share one long list of properties are not read without end")
  func shared() throws {
    var sketch = Sketch()
    let properties = (0..<1_000).map { sketch.attribute("p\($0)", 700) }
    let list = sketch.archive.array(properties)
    for number in 0..<1_000 {
      _ = sketch.entity("E\(number)", [], ["NSProperties": .reference(list)])
    }
    #expect(throws: ArchiveFailure.archive("it would take too long to read")) {
      try sketch.model()
    }
  }
}
