import CauldronModel
import CauldronSQLite
import Foundation
import TestSupport
import Testing

@Suite("Stores that hold what is not supported")
struct FollowedStoreTests {
  private static let history =
    "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
    + " ZCHANGETYPE INTEGER); CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY);"
    + " INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1)"
  private static let cloud =
    history + "; CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, ZDOMAIN VARCHAR)"

  /// A closed store with one row, to which a statement was added.
  private static func bench(_ sql: String) throws -> StoreBench {
    let bench = try StoreBench(try TestModels.people())
    try bench.insert("Person", 1, ["name": .text("jack")])
    try bench.store.close()
    #expect(RawDatabase(bench.url).run(sql) == 0)
    return bench
  }

  @Test(
    "A store that others follow is refused, with the remedy, and stays as it is",
    arguments: [
      (history, "it keeps a history (table ACHANGE), in which saves would be missing"),
      (
        cloud,
        "it is mirrored with CloudKit (table ANSCKEVENT), which would not learn of saves"
      ),
    ])
  func refused(sql: String, what: String) throws {
    let bench = try Self.bench(sql)
    let before = try Data(contentsOf: bench.url)
    let error = try failure {
      _ = try SQLiteStore.open(url: bench.url, model: bench.model, storeNumber: 1)
    }
    #expect(error.code == .storeUnsupported)
    #expect(
      error.description == "Cannot open store \"\(bench.url.path)\": \(what)."
        + " Set readOnly in the configuration to read it.")
    #expect(error.path == bench.url.path)
    #expect(try Data(contentsOf: bench.url) == before)
    #expect(bench.isAlone)
  }

  @Test("It can be read with readOnly, and not be written", arguments: [history, cloud])
  func readOnly(sql: String) throws {
    let bench = try Self.bench(sql)
    let before = try Data(contentsOf: bench.url)
    try bench.reopen(SQLiteStoreOptions(readOnly: true))
    #expect(try bench.values("Person", 1)["name"] == .text("jack"))
    #expect(try bench.fetch("Person").count == 1)
    let held = try bench.row("Person", 1)
    let sets = [
      bench.changes(inserted: [bench.factory.row("Person", 2)]),
      bench.changes(updated: [bench.factory.update(held.row, ["age": .integer(2)])]),
      bench.changes(deleted: [held.row], keeping: [held]),
    ]
    for set in sets {
      let error = try failure { try bench.save(set) }
      #expect(error.code == .storeReadOnly)
      #expect(
        error.description == "Cannot save to \"\(bench.url.path)\": opened with readOnly.")
    }
    let person = bench.model.entity("Person")
    #expect(
      try failure { _ = try bench.store.reserveKeys(5, for: person) }.code == .storeReadOnly)
    try bench.store.close()
    #expect(try Data(contentsOf: bench.url) == before)
  }

  @Test("A model whose values may be in files is refused before a store is made")
  func external() throws {
    let photo = AttributeDescription(
      name: "image", type: .binary, allowsExternalBinaryDataStorage: true)
    let model = try ManagedObjectModel(
      entities: [EntityDescription(name: "Photo", properties: [.attribute(photo)])])
    let directory = try TemporaryDirectory()
    let url = directory.file("x.sqlite")
    let error = try failure {
      _ = try SQLiteStore.open(url: url, model: model, storeNumber: 1)
    }
    #expect(error.code == .storeUnsupported)
    #expect(error.entity == "Photo")
    #expect(error.property == "image")
    #expect(error.message.contains("Photo.image may have its values in files beside it"))
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test("A transient attribute with the flag does no harm")
  func transient() throws {
    let photo = AttributeDescription(
      name: "image", type: .binary, isTransient: true, allowsExternalBinaryDataStorage: true)
    let model = try ManagedObjectModel(
      entities: [EntityDescription(name: "Photo", properties: [.attribute(photo)])])
    try StoreBench(model).insert("Photo", 1, [:])
  }
}
