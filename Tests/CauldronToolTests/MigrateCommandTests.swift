import Cauldron
import CauldronModel
import CauldronModelFile
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite struct MigrateCommandTests {
  private let directory: TemporaryDirectory
  private let url: URL

  init() throws {
    (directory, url) = try Surgery.makeInDirectory()
  }

  /// The model of the store with something changed, as a `.mom` file.
  private func model(_ change: (inout [EntityDescription]) -> Void) throws -> String {
    var entities = try Surgery.model().entities
    change(&entities)
    // Inverses that only one side names are completed.
    let whole = try ManagedObjectModel(entities: entities).entities
    let url = directory.file("Next.mom")
    try Data(StoredModel(entities: whole).archive()).write(to: url)
    return url.path
  }

  private func gainingRoom(_ entities: inout [EntityDescription]) {
    entities[1].properties.append(
      .attribute(
        AttributeDescription(
          name: "rooms", type: .integer64, isOptional: false, default: .constant(.integer(9)))))
  }

  private func losingFee(_ entities: inout [EntityDescription]) {
    for index in entities.indices where entities[index].name == "Doctor" {
      entities[index].properties.removeAll { $0.name == "fee" }
    }
  }

  private func rooms() -> String { RawDatabase(url).text("SELECT sum(ZROOMS) FROM ZCLINIC") }

  @Test func `a plan says what would be done, and changes nothing`() throws {
    let before = try Data(contentsOf: url)
    let run = try ToolRun("migrate", url.path, "--model", model(gainingRoom), "--plan")
    #expect(run.status == 0)
    #expect(run.lines.prefix(2) == ["\(url.path) → model \"Next\"", "  Clinic + rooms"])
    #expect(run.lines.last?.hasSuffix(" rows would be written anew; nothing was changed") == true)
    #expect(try Data(contentsOf: url) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(Set(names) == ["clinics.sqlite", "Next.mom"])
  }

  @Test func `a migration fills what is new, and the result has no findings`() throws {
    let path = try model(gainingRoom)
    let run = try ToolRun("migrate", url.path, "--model", path)
    #expect(run.status == 0)
    #expect(run.lines.last?.hasPrefix("migrated (") == true)
    #expect(rooms() == "18")
    #expect(try ToolRun("verify", url.path).status == 0)
    let again = try ToolRun("migrate", url.path, "--model", path)
    #expect(again.lines == ["\(url.path): has the model \"Next\" already"])
  }

  @Test func `a trial does everything, looks at it, and takes it back`() throws {
    let run = try ToolRun("migrate", url.path, "--model", model(gainingRoom), "--verify")
    #expect(run.status == 0)
    #expect(run.lines.last?.hasPrefix("tried, with no findings, and taken back (") == true)
    #expect(rooms().isEmpty)
    #expect(try ToolRun("verify", url.path).status == 0)
  }

  @Test func `a trial tells what is wrong, and leaves no copy where values would go`() throws {
    #expect(RawDatabase(url).run("UPDATE ZDOCTOR SET ZCLINIC = 99 WHERE Z_PK = 1") == nil)
    let run = try ToolRun(
      "migrate", url.path, "--model", model(losingFee), "--verify", "--discard",
      "Doctor.fee: Decimal")
    #expect(run.status == 1)
    #expect(run.output.contains("Doctor.clinic leads to no Clinic in 1 row (p1)."))
    #expect(run.lines.last?.contains("1 finding, and taken back") == true)
    #expect(!FileManager.default.fileExists(atPath: directory.file("clinics.backup.sqlite").path))
  }

  @Test func `a loss is refused with the option that allows it, which then copies before`() throws {
    let path = try model(losingFee)
    let refused = try ToolRun("migrate", url.path, "--model", path)
    #expect(refused.status == 1)
    #expect(refused.output.contains("--discard \"Doctor.fee: Decimal\". [migration.wouldDiscard]"))
    let run = try ToolRun("migrate", url.path, "--model", path, "--discard", "Doctor.fee: Decimal")
    #expect(run.status == 0)
    let copy = directory.file("clinics.backup.sqlite")
    #expect(run.output.contains("the store as it was: \(copy.path)"))
    #expect(RawDatabase(copy).text("SELECT sum(ZFEE) FROM ZDOCTOR") == "50.0")
  }

  @Test func `a copy is made where that is asked for`() throws {
    let run = try ToolRun("migrate", url.path, "--model", model(gainingRoom), "--backup")
    #expect(run.status == 0)
    #expect(try ToolRun("verify", directory.file("clinics.backup.sqlite").path).status == 0)
  }

  @Test func `a refusal leaves the copy that was there, and ends as a finding`() throws {
    #expect(try ToolRun("migrate", url.path, "--model", model(gainingRoom), "--backup").status == 0)
    let copy = directory.file("clinics.backup.sqlite")
    let before = try Data(contentsOf: copy)
    #expect(RawDatabase(url).run("UPDATE ZDOCTOR SET ZNAME = 'same'") == nil)
    let path = try model { entities in
      gainingRoom(&entities)
      for index in entities.indices where entities[index].name == "Doctor" {
        entities[index].uniquenessConstraints.append(["name"])
      }
    }
    let run = try ToolRun("migrate", url.path, "--model", path, "--backup")
    #expect(run.status == 1)
    #expect(run.output.contains("migration.notUnique"))
    #expect(try Data(contentsOf: copy) == before)
  }

  @Test func `what nobody can infer is refused, and names the program's steps`() throws {
    let path = try model { entities in
      for index in entities.indices where entities[index].name == "Topic" {
        entities[index].properties = entities[index].properties.map { property in
          guard case .attribute(var attribute) = property else { return property }
          attribute.type = .date
          return .attribute(attribute)
        }
      }
    }
    let run = try ToolRun("migrate", url.path, "--model", path, "--plan", "--json")
    #expect(run.status == 1)
    let problems = try #require(run.json()["problems"] as? [[String: Any]])
    #expect(problems.first?["code"] as? String == "migration.cannotInfer")
    #expect((problems.first?["remedy"] as? String)?.contains("MigrationPlan") == true)
  }

  @Test func `JSON has changes, what allows losses, and rows`() throws {
    let run = try ToolRun("migrate", url.path, "--model", model(losingFee), "--plan", "--json")
    let list = try run.json()
    let changes = try #require(list["changes"] as? [[String: Any]])
    #expect(changes.compactMap { $0["discards"] as? String } == ["Doctor.fee: Decimal"])
    #expect(list["rows"] as? Int == 4)
    #expect(list["isDone"] as? Bool == false)
  }

  @Test func `the model may be that of another store`() throws {
    let other = directory.file("other.sqlite")
    try Surgery.make(other)
    #expect(try ToolRun("migrate", other.path, "--model", model(gainingRoom)).status == 0)
    #expect(try ToolRun("migrate", url.path, "--model", other.path).status == 0)
    #expect(rooms() == "18")
  }

  @Test(
    .enabled(if: Fixtures.exists("CoreDataPlus"), Fixtures.skip("CoreDataPlus")))
  func `a store of Core Data is brought over to a compiled model, and its current version`() throws
  {
    let models = "CoreDataPlus/SampleModel/Fixtures/SampleModel.momd"
    let store = "CoreDataPlus/SampleModel/Fixtures/SampleModel_V1.sqlite"
    let copy = directory.file("cars.sqlite")
    try FileManager.default.copyItem(at: #require(Fixtures.url(store)), to: copy)
    let folder = try #require(Fixtures.url(models))
    let current = try ToolRun("migrate", copy.path, "--model", folder.path)
    #expect(current.output.hasSuffix("has the model \"SampleModel\" already\n"))
    let run = try ToolRun(
      "migrate", copy.path, "--model", folder.path + "/SampleModel2.mom", "--discard",
      "Car.color: Transformable", "--discard", "Person.id: UUID")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try ToolRun("verify", copy.path).status == 0)
  }

  @Test func `what is no model is refused with status 2`() throws {
    let path = directory.file("x.txt")
    try Data("hello".utf8).write(to: path)
    let text = try ToolRun("migrate", url.path, "--model", path.path)
    #expect(text.status == 2)
    #expect(text.errors.contains("it is no compiled model, and no store. Give an .xcdatamodel"))
    #expect(
      try ToolRun("migrate", url.path, "--model", "/none.mom").errors.contains("no such file"))
    let folder = try ToolRun("migrate", url.path, "--model", directory.url.path)
    #expect(folder.errors.contains("VersionInfo.plist names no current version"))
    #expect(RawDatabase(url).run("DROP TABLE Z_MODELCACHE") == nil)
    let store = try ToolRun("migrate", url.path, "--model", url.path)
    #expect(store.errors.contains("[migration.noSource]"))
  }

  @Test func `a store that is not there is not made`() throws {
    let none = directory.file("none.sqlite")
    #expect(try ToolRun("migrate", none.path, "--model", model(gainingRoom)).status == 2)
    #expect(!FileManager.default.fileExists(atPath: none.path))
  }

  @Test(
    .enabled(if: Fixtures.exists("CoreDataPlus"), Fixtures.skip("CoreDataPlus")))
  func `a store with a history is refused with the reason, and stays as it is`() throws {
    let store = "CoreDataPlus/SampleModel2/Fixtures/SampleModel2_V2.sqlite"
    let copy = directory.file("books.sqlite")
    try FileManager.default.copyItem(at: #require(Fixtures.url(store)), to: copy)
    let before = try Data(contentsOf: copy)
    let run = try ToolRun("migrate", copy.path, "--model", url.path)
    #expect(run.status == 2)
    #expect(run.errors.contains("it keeps a history (table ACHANGE)"))
    #expect(try Data(contentsOf: copy) == before)
  }
}
