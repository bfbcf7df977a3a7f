import CauldronModel
import CauldronSQLite
import Foundation
import TestSupport
import Testing

@Suite("Indexes that a file lacks")
struct MissingIndexTests {
  private let directory: TemporaryDirectory
  private var url: URL { directory.file("x.sqlite") }
  private static let all = "SELECT name FROM sqlite_master WHERE name LIKE 'Z!_Thing!_%' ESCAPE '!'"

  /// A store of things without indexes.
  init() throws {
    directory = try TemporaryDirectory()
    try SQLiteStore.open(url: url, model: try Self.model([]), storeNumber: 1).close()
  }

  private static func model(_ indexes: [[String]]) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Thing",
        properties: [TestModels.attribute("a", .string), TestModels.attribute("b", .string)],
        indexes: indexes.map { IndexDescription(properties: $0) })
    ])
  }

  private func open(_ indexes: [[String]], readOnly: Bool = false) throws {
    try SQLiteStore.open(
      url: url, model: try Self.model(indexes), storeNumber: 1,
      options: SQLiteStoreOptions(readOnly: readOnly)
    ).close()
  }

  @Test("They are made at opening, and the others stay")
  func made() throws {
    #expect(RawDatabase(url).rows(Self.all) == [])
    try open([["a"]])
    try open([["b", "a"], ["a"]])
    try open([])
    let raw = RawDatabase(url)
    #expect(raw.rows(Self.all) == [["Z_Thing_byA"], ["Z_Thing_byBAndA"]])
    #expect(
      raw.value("SELECT sql FROM sqlite_master WHERE name = 'Z_Thing_byBAndA'")
        == "CREATE INDEX Z_Thing_byBAndA ON ZTHING (ZB COLLATE BINARY ASC, ZA COLLATE BINARY ASC)")
    let plan = raw.rows("EXPLAIN QUERY PLAN SELECT * FROM ZTHING WHERE ZB = 'x'")
    #expect(plan.joined().joined().contains("Z_Thing_byBAndA"))
  }

  @Test("Who only reads makes none")
  func readOnly() throws {
    try open([["a"]], readOnly: true)
    #expect(RawDatabase(url).rows(Self.all) == [])
  }

  @Test("Another process that writes is no reason not to open")
  func busy() throws {
    let other = RawDatabase(url)
    #expect(other.run("BEGIN IMMEDIATE") == 0)
    try SQLiteStore.open(
      url: url, model: try Self.model([["a"]]), storeNumber: 1,
      options: SQLiteStoreOptions(busyTimeout: 0.05)
    ).close()
    #expect(other.run("COMMIT") == 0)
    #expect(other.rows(Self.all) == [])
    try open([["a"]])
    #expect(RawDatabase(url).rows(Self.all) == [["Z_Thing_byA"]])
  }
}
