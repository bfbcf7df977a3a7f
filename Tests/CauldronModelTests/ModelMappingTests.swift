import CauldronModel
import CauldronStore
import Testing

/// Which things of two models are the same, and what is different.
@Suite struct ModelMappingTests {
  private func attribute(
    _ name: String, _ type: AttributeType = .string, from originals: String...
  ) -> PropertyDescription {
    var attribute = AttributeDescription(name: name, type: type)
    attribute.originalNames = originals
    return .attribute(attribute)
  }

  private func entity(
    _ name: String, below parent: String? = nil, from originals: [String] = [],
    _ properties: PropertyDescription...
  ) -> EntityDescription {
    var entity = EntityDescription(name: name, superentity: parent, properties: properties)
    entity.originalNames = originals
    return entity
  }

  private func changes(
    _ old: [EntityDescription], _ new: [EntityDescription]
  ) throws -> (texts: [String], losses: [String], doubts: [String]) {
    let mapping = ModelMapping(
      source: try ManagedObjectModel(entities: old),
      destination: try ManagedObjectModel(entities: new))
    return (
      mapping.changes.map(\.description), mapping.changes.compactMap(\.loss), mapping.ambiguities
    )
  }

  @Test func `a name is followed, whatever it is now`() throws {
    let found = try changes(
      [entity("Man", attribute("label"))],
      [entity("Person", from: ["Man"], attribute("title", from: "caption", "label"))])
    #expect(found.texts == ["Man → Person", "Person.label → title"])
    #expect(found.losses.isEmpty && found.doubts.isEmpty)
  }

  @Test func `a name that returns with a meaning of its own is new`() throws {
    let found = try changes(
      [entity("A", attribute("fax"))], [entity("A", attribute("fax", .integer64, from: "fax.2"))])
    #expect(found.texts == ["A + fax", "A − fax"])
    #expect(found.losses == ["fax: String"])
  }

  @Test func `names may change places`() throws {
    let found = try changes(
      [entity("X", attribute("a"), attribute("b"))],
      [entity("X", attribute("a", from: "b"), attribute("b", from: "a"))])
    #expect(found.texts == ["X.b → a", "X.a → b"])
    #expect(found.losses.isEmpty && found.doubts.isEmpty)
  }

  @Test func `a migrated store is recognized by the oldest name`() throws {
    let title = attribute("title", from: "label")
    let found = try changes(
      [entity("A", title)], [entity("A", attribute("heading", from: "title", "label"))])
    #expect(found.texts == ["A.title → heading"])
  }

  @Test func `two that go on with one are doubtful`() throws {
    let found = try changes(
      [entity("A", attribute("x"))],
      [entity("A", attribute("y", from: "x"), attribute("z", from: "x"))])
    #expect(found.doubts == ["A.z"] || found.texts.contains("A + z"))
  }

  @Test func `what moves to a parent is kept, and what only some children keep is lost`() throws {
    let up = try changes(
      [
        entity("P"), entity("A", below: "P", attribute("x")),
        entity("B", below: "P", attribute("x")),
      ],
      [entity("P", attribute("x")), entity("A", below: "P"), entity("B", below: "P")])
    #expect(up.losses.isEmpty)
    let down = try changes(
      [entity("P", attribute("x")), entity("A", below: "P"), entity("B", below: "P")],
      [entity("P"), entity("A", below: "P", attribute("x")), entity("B", below: "P")])
    #expect(down.losses == ["x: String"])
  }
}
