import Cauldron
import Foundation
import Testing

/// Objects that are found by another attribute than their own key, and those of other entities.
@Suite struct ImportKeyTests {
  private static func attribute(_ name: String) -> PropertyDescription {
    .attribute(AttributeDescription(name: name, type: .integer64))
  }

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
    var part = EntityDescription(
      name: "Part",
      properties: [
        Self.attribute("id"), Self.attribute("slug"), Self.attribute("tagID"),
        Self.link("up", "Part", "down", RelationshipImport(match: "tagID")),
        Self.link("down", "Part", "up", toMany: true, RelationshipImport(isExcluded: true)),
        Self.link("screw", "Screw", "parts", RelationshipImport()),
      ], uniquenessConstraints: [["id"], ["slug"]])
    part.importKey = "id"
    let screw = EntityDescription(
      name: "Screw", superentity: "Part",
      properties: [
        Self.attribute("length"),
        Self.link("parts", "Part", "screw", toMany: true, RelationshipImport(isExcluded: true)),
      ])
    return try Stack(storeURL: nil, model: ManagedObjectModel(entities: [part, screw]))
  }

  private func load(_ json: String, into stack: Stack) async throws -> ImportReport {
    try await stack.importJSON(Data(json.utf8), asEntityNamed: "Part")
  }

  private func parts(_ stack: Stack) async throws -> [String] {
    try await stack.save { context in
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Part")).map { part in
        func text(_ name: String) -> String { part.value(forKey: name).map { "\($0)" } ?? "-" }
        let up = part.value(forKey: "up") as? ManagedObject
        let upper = up?.value(forKey: "id").map { ">\($0)" } ?? ""
        return "\(part.entity.name) \(text("id")) \(text("slug")) \(text("tagID"))\(upper)"
      }.sorted()
    }
  }

  @Test func laterRecordsSeeWhatEarlierOnesAreFoundBy() async throws {
    let stack = try stack()
    let report = try await load(
      #"[{"id": 1, "tagID": 5}, {"id": 2, "up": 5}, {"id": 1, "tagID": 6}, {"id": 3, "up": 6}]"#,
      into: stack)
    #expect(report.created == 3 && report.related.isEmpty)
    #expect(try await parts(stack) == ["Part 1 - 6", "Part 2 - ->1", "Part 3 - ->1"])
  }

  @Test func aUniqueValueThatIsTakenRefusesTheRecord() async throws {
    let stack = try stack()
    let report = try await load(
      #"[{"id": 1, "slug": 5}, {"id": 2, "tagID": 7, "slug": 5}, {"id": 1, "slug": 6}, {"id": 3, "slug": 5}]"#,
      into: stack)
    #expect(
      report.problems.map(\.description) == [
        "/1/slug: Part.slug must be unique, and another has 5"
      ])
    #expect(try await parts(stack) == ["Part 1 6 -", "Part 3 5 -"])
  }

  @Test func anObjectOfAnotherEntityRefusesTheRecord() async throws {
    let stack = try stack()
    let report = try await load(
      #"[{"id": 1}, {"id": 2, "screw": 1}, {"id": 3, "screw": {"id": 4, "length": 1}}, {"id": 5, "screw": {"id": 5}}]"#,
      into: stack)
    #expect(
      report.problems.map(\.description) == [
        "/1/screw: the object with this key is a Part and no Screw",
        "/3/screw: the object with this key is a Part and no Screw",
      ])
    #expect(try await parts(stack) == ["Part 1 - -", "Part 3 - -", "Screw 4 - -"])
  }

  @Test func nothingStaysOfARefusedRecord() async throws {
    let stack = try stack()
    _ = try await load(#"[{"id": 1, "tagID": 5}]"#, into: stack)
    let report = try await load(
      #"[{"id": 2, "tagID": 5, "slug": 3, "up": 5}, {"id": 2, "up": 5}]"#, into: stack)
    #expect(report.problems.map(\.pointer) == ["/0/up"])
    #expect(try await parts(stack) == ["Part 1 - 5", "Part 2 - ->1"])
  }
}
