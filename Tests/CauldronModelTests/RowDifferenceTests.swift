import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite("Differences between rows")
struct RowDifferenceTests {
  private let factory: RowFactory
  private let person: EntityLayout

  init() throws {
    factory = RowFactory(try TestModels.people())
    person = factory.model.entity("Person")
  }

  @Test("Rows built alike do not differ, wherever their texts lie")
  func equal() {
    let values: [String: AttributeScalar] = ["name": .text("jack"), "photo": .blob(Data([1]))]
    let a = factory.row("Person", 1, values)
    let b = factory.update(factory.row("Person", 1, ["name": .text("x")]).row, values)
    #expect(a.row.difference(from: b.row, person).isEmpty)
    #expect(a.row.difference(from: a.row, person).isEmpty)
  }

  @Test("Names exactly the properties that differ")
  func names() {
    let a = factory.row(
      "Person", 1, ["name": .text("jack"), "age": .integer(1), "email": .text("")])
    let b = factory.row(
      "Person", 1, ["name": .text("jill"), "age": .integer(1), "height": .real(1)])
    let names = a.row.difference(from: b.row, person).indices.map { person.properties[$0].name }
    #expect(names == ["name", "height", "email"])
  }

  @Test("Transient properties never differ")
  func transient() {
    let a = factory.row("Person", 1)
    let b = factory.row("Person", 1)
    b.row.setSlot(person.property("note").index, 5)
    #expect(a.row.difference(from: b.row, person).isEmpty)
  }

  @Test("References to the same key differ where the entity does, but not where both are nil")
  func entitySlot() throws {
    let passport = factory.model.entity("Passport")
    let slot = try #require(passport.property("holder").entitySlot)
    let a = factory.row("Passport", 1, ["holder": .integer(3)])
    let b = factory.row("Passport", 1, ["holder": .integer(3)])
    b.row.setCompanion(5, at: slot)
    let holder = passport.property("holder").index
    #expect(a.row.difference(from: b.row, passport) == PropertySet([holder]))
    a.row.setNull(holder)
    b.row.setNull(holder)
    #expect(a.row.difference(from: b.row, passport).isEmpty)
  }
}
