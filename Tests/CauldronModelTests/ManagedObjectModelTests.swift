import CauldronModel
import TestSupport
import Testing

@Suite("ManagedObjectModel")
struct ManagedObjectModelTests {
  @Test("Numbers entities from 1, hierarchies depth-first in alphabetical order")
  func numbers() throws {
    let names = [("Z", nil), ("D", "B"), ("B", "A"), ("C", "A"), ("A", nil), ("E", "B")]
    let model = try ManagedObjectModel(
      entities: names.map { EntityDescription(name: $0.0, superentity: $0.1, properties: []) })
    #expect(model.layouts.map(\.name) == ["A", "B", "D", "E", "C", "Z"])
    #expect(model.layouts.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(model.entity("B").family.map(\.entity.name) == ["B", "D", "E"])
    #expect(model.entity("E").root.name == "A")
    #expect(model.entity("E").isKind(of: model.entity("B")))
    #expect(!model.entity("C").isKind(of: model.entity("B")))
    #expect(model.layout(number: 4)?.name == "E")
    #expect(model.layout(number: 0) == nil)
    #expect(model.layout(number: 7) == nil)
    #expect(model.entities.map(\.name) == model.layouts.map(\.name))
  }

  @Test("Inherited properties come first and keep their index")
  func inheritance() throws {
    let model = try TestModels.people()
    let person = model.entity("Person")
    let manager = model.entity("Manager")
    #expect(manager.properties.count == person.properties.count + 2)
    #expect(person.properties.allSatisfy { manager.index(of: $0.name) == $0.index })
    #expect(manager.properties.map(\.index) == Array(0..<14))
    #expect(manager.properties.suffix(2).map(\.name) == ["salary", "level"])
    #expect(person.index(of: "salary") == nil)
  }

  @Test("Completes the inverse that only the other side names")
  func inverses() throws {
    let model = try TestModels.people()
    for (entity, name, destination, inverse) in [
      ("Person", "employer", "Company", "employees"),
      ("Company", "employees", "Person", "employer"),
      ("Passport", "holder", "Person", "passport"),
      ("Manager", "passport", "Passport", "holder"),
    ] {
      let property = model.entity(entity).property(name)
      guard case .relationship(let relationship) = property.description else {
        Issue.record("\(name) is no relationship")
        continue
      }
      #expect(relationship.inverse == inverse)
      #expect(property.destination?.entity === model.entity(destination))
      #expect(property.destination?.inverse == model.entity(destination).index(of: inverse))
    }
  }

  @Test("A to-one into a hierarchy has a second slot, behind those of all properties")
  func entitySlots() throws {
    let model = try TestModels.people()
    let passport = model.entity("Passport")
    #expect(passport.property("holder").entitySlot == 3)
    #expect(passport.slotCount == 4)
    #expect(model.entity("Person").property("employer").entitySlot == nil)
    #expect(model.entity("Person").slotCount == 12)
  }

  @Test("New rows start with the constant defaults and nil for the rest")
  func defaults() throws {
    let entity = EntityDescription(
      name: "A",
      properties: [
        .attribute(
          AttributeDescription(name: "i", type: .integer16, default: .constant(.integer(7)))),
        .attribute(AttributeDescription(name: "d", type: .double, default: .constant(.real(1.5)))),
        .attribute(AttributeDescription(name: "s", type: .string, default: .constant(.text("ä")))),
        .attribute(
          AttributeDescription(name: "u", type: .uuid, default: .computed { .text("made") })),
        TestModels.attribute("n", .string),
      ])
    let layout = try ManagedObjectModel(entities: [entity]).entity("A")
    let values = layout.values(of: layout.template.row)
    #expect(
      values == ["i": .integer(7), "d": .real(1.5), "s": .text("ä"), "u": .null, "n": .null])
    #expect(layout.values(of: layout.zero.row).values.allSatisfy { $0.isNull })
    #expect(layout.computedDefaults.map(\.index) == [3])
    #expect(layout.computedDefaults.first?.make() == .text("made"))
  }
}
