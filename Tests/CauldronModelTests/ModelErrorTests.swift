import CauldronModel
import TestSupport
import Testing

@Suite("Models that contradict themselves")
struct ModelErrorTests {
  @Test("Two entities of one name")
  func twice() {
    expect("two entities are named \"A\"", [entity("A"), entity("A")])
  }

  @Test("A superentity that is not there")
  func superentity() {
    expect("A: its superentity \"B\" is not in the model", [entity("A", below: "B")])
  }

  @Test("Superentities in a circle")
  func circle() {
    expect(
      "A, B: the superentities form a circle",
      [entity("A", below: "B"), entity("B", below: "A"), entity("C")])
  }

  @Test("A destination that is not there")
  func destination() {
    expect(
      "A.b: its destination \"B\" is not in the model", [entity("A", TestModels.toOne("b", "B"))])
  }

  @Test("An inverse that is not there")
  func missingInverse() {
    expect(
      "A.b: inverse \"x\" not found in B",
      [entity("A", TestModels.toOne("b", "B", inverse: "x")), entity("B")])
  }

  @Test("An inverse that leads elsewhere")
  func inverseElsewhere() {
    expect(
      "A.b: its inverse B.a leads to B",
      [
        entity("A", TestModels.toOne("b", "B", inverse: "a")),
        entity("B", TestModels.toOne("a", "B", inverse: "a")),
      ])
  }

  @Test("An inverse that is an attribute")
  func inverseAttribute() {
    expect(
      "A.b: its inverse B.name is an attribute; name a relationship",
      [
        entity("A", TestModels.toOne("b", "B", inverse: "name")),
        entity("B", .attribute(AttributeDescription(name: "name", type: .string))),
      ])
  }

  @Test("An inverse that names another inverse")
  func disagreement() {
    expect(
      "A.b: B.a names \"c\" as its inverse",
      [
        entity("A", TestModels.toOne("b", "B", inverse: "a"), TestModels.toOne("c", "B")),
        entity("B", TestModels.toOne("a", "A", inverse: "c")),
      ])
  }

  @Test("A relationship whose inverse nobody names")
  func noInverse() {
    expect(
      "A.b: no inverse; name it here or in B, or say isOneWay: true",
      [entity("A", TestModels.toOne("b", "B")), entity("B")])
  }

  @Test("A relationship that two others name")
  func ambiguous() {
    expect(
      "B.x, B.y: all name A.b as their inverse; only one may",
      [
        entity("A", TestModels.toOne("b", "B")),
        entity(
          "B", TestModels.toOne("x", "A", inverse: "b"), TestModels.toOne("y", "A", inverse: "b")),
      ])
  }

  @Test("A property that is declared twice, there or in a superentity")
  func property() {
    let name = TestModels.attribute("name", .string)
    expect("A.name: the property is declared twice", [entity("A", name, name)])
    expect(
      "B.name: the property is declared twice",
      [entity("A", name), entity("B", below: "A", name)])
  }

  @Test("A relationship that is its own inverse, and leads to a subentity")
  func ownInverse() {
    expect(
      "A.friends: its inverse B.friends leads to B",
      [entity("A", TestModels.toMany("friends", "B", inverse: "friends")), entity("B", below: "A")])
  }

  @Test("A one-way relationship that has an inverse")
  func oneWay() {
    var relationship = RelationshipDescription(name: "b", destination: "B", isToMany: false)
    relationship.isOneWay = true
    expect(
      "A.b: it is one-way, and has the inverse B.a",
      [
        entity("A", .relationship(relationship)),
        entity("B", TestModels.toOne("a", "A", inverse: "b")),
      ])
  }

  @Test("A uniqueness constraint on what is not stored", arguments: ["x", "note", "bs"])
  func constraint(name: String) {
    let note = AttributeDescription(name: "note", type: .string, isTransient: true)
    var a = entity("A", .attribute(note), TestModels.toMany("bs", "B"))
    a.uniquenessConstraints = [[name]]
    expect(
      "A: a uniqueness constraint names \"\(name)\", which is no stored property",
      [a, entity("B", TestModels.toOne("a", "A", inverse: "bs"))])
  }

  @Test("A default of another type")
  func defaultValue() {
    let ratio = AttributeDescription(
      name: "ratio", type: .double, default: .constant(.integer(1)))
    expect("A.ratio: its default is not of type Double", [entity("A", .attribute(ratio))])
  }

  private func entity(
    _ name: String, below parent: String? = nil, _ properties: PropertyDescription...
  ) -> EntityDescription {
    EntityDescription(name: name, superentity: parent, properties: properties)
  }

  private func expect(
    _ what: String, _ entities: [EntityDescription], at location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: CauldronError.self, sourceLocation: location) {
      try ManagedObjectModel(entities: entities)
    }
    #expect(error?.code == .modelInvalid, sourceLocation: location)
    #expect(error?.message == "Cannot build the model: \(what).", sourceLocation: location)
  }
}
