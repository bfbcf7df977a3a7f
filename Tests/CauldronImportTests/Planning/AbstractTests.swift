import Cauldron
import Foundation
import Testing

/// Relationships that lead to abstract entities of which nobody has named a subentity.
@Suite struct AbstractTests {
  private static func model(_ key: String?, _ importing: RelationshipImport) -> [EntityDescription]
  {
    func attribute(_ name: String) -> PropertyDescription {
      .attribute(AttributeDescription(name: name, type: .integer64))
    }
    func link(_ name: String, _ to: String, _ back: String, toMany: Bool) -> PropertyDescription {
      var made = RelationshipDescription(
        name: name, destination: to, inverse: back, isToMany: toMany)
      made.importing = toMany ? RelationshipImport(isExcluded: true) : importing
      return .relationship(made)
    }
    let party = EntityDescription(
      name: "Party", isAbstract: true,
      properties: [
        attribute("id"), attribute("size"), link("things", "Thing", "owner", toMany: true),
      ], uniquenessConstraints: key.map { [[$0]] } ?? [])
    let person = EntityDescription(
      name: "Person", superentity: "Party", properties: [attribute("age")])
    let thing = EntityDescription(
      name: "Thing",
      properties: [attribute("code"), link("owner", "Party", "things", toMany: false)],
      uniquenessConstraints: [["code"]])
    return [party, person, thing]
  }

  private func stack(
    _ key: String? = "id", _ importing: RelationshipImport = RelationshipImport()
  ) throws -> Stack {
    try Stack(storeURL: nil, model: ManagedObjectModel(entities: Self.model(key, importing)))
  }

  private func load(_ json: String, _ entity: String, into stack: Stack) async throws
    -> ImportReport
  {
    try await stack.importJSON(Data(json.utf8), asEntityNamed: entity)
  }

  private func owners(_ stack: Stack) async throws -> [String] {
    try await stack.save { context in
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Thing")).map { thing in
        let owner = thing.value(forKey: "owner") as? ManagedObject
        return "\(thing.value(forKey: "code") ?? "-") \(owner?.value(forKey: "id") ?? "-")"
      }.sorted()
    }
  }

  @Test func `what is there is linked by its key, and what is not is reported`() async throws {
    let stack = try stack()
    _ = try await load(#"[{"id": 7}]"#, "Person", into: stack)
    let report = try await load(
      #"[{"code": 1, "owner": 7}, {"code": 2, "owner": 8}, {"code": 1, "owner": null}, {"code": 3, "owner": 7}]"#,
      "Thing", into: stack)
    #expect(report.problems.map(\.description) == ["/1/owner: nothing has Party.id 8"])
    #expect(try await owners(stack) == ["1 -", "2 -", "3 7"])
  }

  @Test func `a record that would have to become an object is refused`() async throws {
    let stack = try stack()
    let report = try await load(
      #"[{"code": 1, "owner": {"id": 7}}, {"code": 2}]"#, "Thing", into: stack)
    #expect(
      report.problems.map(\.description) == [
        "/0/owner: an object cannot be imported: Party is abstract, and nothing names a subentity"
      ])
    #expect(report.created == 1)
  }

  @Test func `without a key a record that says something of it is refused`() async throws {
    let stack = try stack(nil)
    let report = try await load(
      #"[{"code": 1, "owner": 7}, {"code": 2, "owner": {}}, {"code": 3}]"#, "Thing", into: stack)
    #expect(report.problems.map(\.pointer) == ["/0/owner", "/1/owner"])
    #expect(report.created == 1)
  }

  @Test func `links alone can be asked for`() async throws {
    let stack = try stack(
      "id", RelationshipImport(from: ["holder"], members: .linkOnly, unknown: .refuse))
    _ = try await load(#"[{"id": 7}]"#, "Person", into: stack)
    let report = try await load(
      #"[{"code": 1, "holder": 7}, {"code": 2, "holder": 8}]"#, "Thing", into: stack)
    #expect(report.problems.map(\.pointer) == ["/1/holder"])
    #expect(try await owners(stack) == ["1 7"])
  }

  @Test(arguments: [
    RelationshipImport(from: ["x"]), RelationshipImport(match: "id"),
    RelationshipImport(unknown: .refuse), RelationshipImport(subentity: "Party"),
  ])
  func `who says more has to name a subentity`(importing: RelationshipImport) async throws {
    let stack = try stack("id", importing)
    let error = await #expect(throws: CauldronError.self) {
      _ = try await load("[]", "Thing", into: stack)
    }
    #expect(
      error?.message
        == "Cannot import Thing: Thing.owner leads to the abstract Party; name a subentity.")
  }
}
