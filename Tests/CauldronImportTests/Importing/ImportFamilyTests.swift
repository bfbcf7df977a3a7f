import Cauldron
import Foundation
import Testing

/// Objects of a superentity and of its subentity that have the same key, which need not be unique.
@Suite struct ImportFamilyTests {
  private static func link(
    _ name: String, _ destination: String, _ inverse: String, toMany: Bool = false,
    _ importing: RelationshipImport
  ) -> PropertyDescription {
    var made = RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isToMany: toMany)
    made.importing = importing
    return .relationship(made)
  }

  private func stack() throws -> Stack {
    let back = RelationshipImport(isExcluded: true)
    let whole = EntityDescription(
      name: "Case",
      properties: [
        .attribute(AttributeDescription(name: "number", type: .integer64)),
        .attribute(AttributeDescription(name: "name", type: .string)),
        Self.link("up", "Case", "down", RelationshipImport(match: "number")),
        Self.link("down", "Case", "up", toMany: true, back),
      ])
    var crate = EntityDescription(
      name: "Crate", superentity: "Case",
      properties: [
        Self.link("other", "Crate", "others", RelationshipImport(match: "number")),
        Self.link("others", "Crate", "other", toMany: true, back),
      ])
    crate.importKey = "number"
    return try Stack(storeURL: nil, model: ManagedObjectModel(entities: [whole, crate]))
  }

  @Test func `a link leads to who is meant, and not to who has the same key`() async throws {
    let stack = try stack()
    let report = try await stack.importJSON(
      Data(
        #"""
        [{"number": 1, "up": 4}, {"number": 2, "other": {"number": 4}}, {"number": 3, "other": 4},
         {"number": 4, "name": 7}]
        """#.utf8), asEntityNamed: "Crate")
    #expect(
      report.problems.map(\.description) == [
        "/3/name: 7 is not a text", "/0/up: the record with Case.number 4 was refused",
      ])
    let found = try await stack.save { context in
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Case")).map { object in
        func number(_ object: ManagedObject?) -> String {
          (object?.value(forKey: "number")).map { "\($0)" } ?? "-"
        }
        let other = object.value(forKey: "other") as? ManagedObject
        return "\(object.entity.name) \(number(object)) \(number(other))"
      }.sorted()
    }
    #expect(found == ["Crate 1 -", "Crate 2 4", "Crate 3 4", "Crate 4 -"])
  }
}
