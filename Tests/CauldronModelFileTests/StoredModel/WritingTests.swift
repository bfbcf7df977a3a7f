import CauldronModel
import CauldronModelFile
import Foundation
import Testing

@Suite("Models that are archived")
struct WritingTests {
  @Test("A model with every kind of property comes back, but for rules and older names")
  func everything() throws {
    var expected = SampleModel.stored
    for (index, entity) in expected.entities.enumerated() where entity.name == "Book" {
      for (place, property) in entity.properties.enumerated() where property.name == "title" {
        var title = try #require(entity.attribute("title"))
        title.rules = []
        title.originalNames = ["caption"]
        expected.entities[index].properties[place] = .attribute(title)
      }
    }
    for model in [
      try StoredModel(archive: SampleModel.stored.archive()),
      try StoredModel(cache: SampleModel.stored.cache()),
    ] {
      #expect(model.lines == expected.lines)
      #expect(model.open.isEmpty)
      let hashes = try ManagedObjectModel(entities: SampleModel.entities).entityVersionHashesByName
      #expect(try model.hashes() == hashes)
    }
  }

  @Test("Inverses that only the other side names are completed")
  func inverses() throws {
    let person = try #require(SampleModel.stored.entities.first { $0.name == "Person" })
    #expect(person.relationship("things")?.inverse == "owner")
  }

  @Test("Equal models in another order give equal bytes")
  func order() {
    let model = StoredModel(
      entities: SampleModel.entities.reversed(), versionIdentifiers: ["2.0", "final"])
    #expect(model.archive() == SampleModel.stored.archive())
  }

  @Test("Names that differ only in their bytes stay as they are")
  func normalization() throws {
    let names = ["e\u{301}", "\u{E9}"]
    let entities = zip(["A", "B"], names).map { entity, name in
      EntityDescription(name: entity, properties: [SampleModel.attribute(name, .string)])
    }
    let model = try StoredModel(archive: StoredModel(entities: entities).archive())
    let read = model.entities.map { Array($0.properties[0].name.utf8) }
    #expect(read == names.map { Array($0.utf8) })
  }

  @Test(
    "Decimal defaults keep all their digits",
    arguments: [
      "0", "-1", "12345678901234567890123456789012345678", "0.1", "-0.00001", "1000000",
      "340282366920938463463374607431768211455",
    ])
  func decimals(text: String) throws {
    let attribute = AttributeDescription(
      name: "number", type: .decimal, default: .constant(.text(text)))
    let entity = EntityDescription(name: "A", properties: [.attribute(attribute)])
    let model = try StoredModel(archive: StoredModel(entities: [entity]).archive())
    guard case .constant(let value) = model.entities[0].attribute("number")?.defaultValue,
      case .text(let read) = value
    else {
      Issue.record("there is no default")
      return
    }
    #expect(Decimal(string: read) == Decimal(string: text))
  }

  @Test("A large model is kept, in more than one block and with long references")
  func large() throws {
    let entities = (0..<300).map { number in
      EntityDescription(
        name: "Entity\(number)",
        properties: (0..<20).map { SampleModel.attribute("property\(number)_\($0)", .string) })
    }
    let model = StoredModel(entities: entities)
    #expect(model.archive().count > 1 << 17)
    #expect(try StoredModel(cache: model.cache()).lines == model.lines)
  }

  @Test("Nothing is a model, too")
  func empty() throws {
    let model = try StoredModel(cache: StoredModel(entities: []).cache())
    #expect(model.lines.isEmpty)
  }
}
