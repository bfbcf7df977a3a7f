import CauldronModel
import CauldronSQLite
import Foundation
import TestSupport
import Testing

@Suite("Stores that Core Data wrote")
struct AppleStoreTests {
  private static let folder = "CoreDataPlus/SampleModel/Fixtures"

  private static func sampleModel(first: Bool) throws -> ManagedObjectModel {
    var car: [PropertyDescription] = [
      .attribute(
        AttributeDescription(name: "currentDrivingSpeed", type: .integer64, isTransient: true)),
      TestModels.attribute("maker", .string), TestModels.attribute("markedForDeletionAsOf", .date),
      TestModels.attribute("model", .string),
      .attribute(AttributeDescription(name: "numberPlate", type: .string, isOptional: false)),
      TestModels.toOne("owner", "Person", inverse: "cars"),
    ]
    if first { car.append(TestModels.attribute("color", .transformable)) }
    return try ManagedObjectModel(
      entities: [
        EntityDescription(name: "Car", properties: car, uniquenessConstraints: [["numberPlate"]]),
        EntityDescription(name: "SportCar", superentity: "Car", properties: []),
        EntityDescription(
          name: first ? "ExpensiveSportCar" : "LuxuryCar", superentity: "SportCar",
          properties: [TestModels.attribute("isLimitedEdition", .boolean)]),
        person(withID: first),
      ], name: "SampleModel")
  }

  private static func person(withID: Bool) -> EntityDescription {
    let id = AttributeDescription(
      name: "id", type: .uuid, isOptional: false, preservesValueInHistoryOnDeletion: true)
    let updatedAt = AttributeDescription(name: "updatedAt", type: .date, isOptional: false)
    return EntityDescription(
      name: "Person",
      properties: [
        TestModels.attribute("firstName", .string),
        .attribute(
          AttributeDescription(
            name: "isDriving", type: .boolean, isOptional: false, isTransient: true)),
        TestModels.attribute("lastName", .string), .attribute(updatedAt),
        TestModels.toMany("cars", "Car", inverse: "owner"),
      ] + (withID ? [.attribute(id)] : []), uniquenessConstraints: [["firstName", "lastName"]])
  }

  @Test(
    "A store with a hierarchy opens with the model built by hand, and its rows are read",
    .enabled(if: Fixtures.exists(folder), Fixtures.skip(folder)), arguments: [true, false])
  func sample(first: Bool) throws {
    let fixture = try #require(
      Fixtures.url("\(Self.folder)/SampleModel_V\(first ? 1 : 2).sqlite"))
    let bench = try StoreBench(try Self.sampleModel(first: first), copying: fixture)
    let raw = RawDatabase(bench.url)
    for (entity, table) in [("Car", "ZCAR"), ("Person", "ZPERSON")] {
      let keys = try bench.fetch(entity).map { String($0.key) }
      #expect(keys == raw.rows("SELECT Z_PK FROM \(table) ORDER BY Z_PK").map { $0[0] })
      #expect(!keys.isEmpty)
    }
    let car = bench.model.entity("Car")
    let makers = try bench.fetch("Car").map { car.value("maker", in: $0) }
    #expect(
      makers
        == raw.rows("SELECT ZMAKER FROM ZCAR ORDER BY Z_PK").map {
          $0[0] == "-" ? .null : .text($0[0])
        })
    let count = raw.value("SELECT count(*) FROM ZCAR WHERE Z_ENT = 3")
    #expect(try bench.fetch(first ? "ExpensiveSportCar" : "LuxuryCar").count == Int(count))
  }

  @Test(
    "A row that is added continues the keys of Core Data",
    .enabled(if: Fixtures.exists(folder), Fixtures.skip(folder)))
  func add() throws {
    let fixture = try #require(Fixtures.url("\(Self.folder)/SampleModel_V1.sqlite"))
    let bench = try StoreBench(try Self.sampleModel(first: true), copying: fixture)
    let before = try #require(
      Int64(RawDatabase(bench.url).value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1")))
    let keys = try bench.store.reserveKeys(1, for: bench.model.entity("SportCar"))
    #expect(keys == (before + 1)..<(before + 2))
    try bench.insert(
      "SportCar", before + 1, ["numberPlate": .text("new"), "owner": .integer(1)])
    #expect(
      RawDatabase(bench.url).rows(
        "SELECT Z_ENT, Z_OPT, ZOWNER FROM ZCAR WHERE ZNUMBERPLATE = 'new'") == [["2", "1", "1"]])
    try bench.store.close()
    #expect(bench.isAlone)
    #expect(RawDatabase(bench.url).value("PRAGMA integrity_check") == "ok")
  }

  @Test(
    "A store of another model stays as it is, byte by byte",
    .enabled(if: Fixtures.exists(folder), Fixtures.skip(folder)))
  func other() throws {
    let fixture = try #require(Fixtures.url("\(Self.folder)/SampleModel_V1.sqlite"))
    let directory = try TemporaryDirectory()
    let url = directory.file("x.sqlite")
    try FileManager.default.copyItem(at: fixture, to: url)
    let error = try failure {
      _ = try SQLiteStore.open(
        url: url, model: try Self.sampleModel(first: false), storeNumber: 1)
    }
    #expect(error.code == .storeIncompatibleModel)
    #expect(
      error.message.hasSuffix(
        "differ: Car (column ZCOLOR: not in the model, BLOB in the store),"
          + " ExpensiveSportCar (only in the store), LuxuryCar (only in the model),"
          + " Person (column ZID: not in the model, BLOB in the store)."))
    #expect(try Data(contentsOf: url) == Data(contentsOf: fixture))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).count == 1)
  }

  @Test("Triggers of derived attributes run without Core Data")
  func derivedAttributes() throws {
    let bench = try StoreBench(try TestModels.people())
    let raw = RawDatabase(bench.url)
    raw.run(
      "CREATE TRIGGER Z_DA_t AFTER INSERT ON ZPERSON FOR EACH ROW BEGIN"
        + " UPDATE ZCOMPANY SET ZRATING = IFNULL(ZRATING, 0) + 1 WHERE Z_PK = NEW.ZEMPLOYER;"
        + " SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZCOMPANY', Z_ENT, Z_PK, 'rating',"
        + " ZRATING) FROM ZCOMPANY WHERE Z_PK = NEW.ZEMPLOYER;"
        + " SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZCOMPANY', 1, 2, 'x', 3);"
        + " END")
    try bench.insert("Company", 1, [:])
    try bench.insert([
      bench.factory.row("Person", 1, ["employer": .integer(1)]),
      bench.factory.row("Person", 2, ["employer": .integer(1)]),
    ])
    #expect(try bench.values("Company", 1)["rating"] == .real(2))
  }
}
