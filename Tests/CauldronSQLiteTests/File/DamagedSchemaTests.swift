import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

@Suite("What only reads a damaged store, and what copies it")
struct DamagedSchemaTests {
  private static func bench() throws -> StoreBench {
    let bench = try StoreBench(entity: "Person", [("text", .string)])
    for key in 1...20 {
      try bench.insert("Person", Int64(key), ["text": .text(String(repeating: "x", count: 2_000))])
    }
    try bench.store.close()
    return bench
  }

  /// Has the schema of a file say something else.
  private static func edit(_ url: URL, _ sql: String) {
    let raw = RawDatabase(url)
    #expect(raw.run("PRAGMA writable_schema = ON; \(sql); PRAGMA schema_version = 999") == 0)
  }

  @Test("A text that is no UTF-8 is found, and others are not")
  func texts() throws {
    let bench = try Self.bench()
    defer { withExtendedLifetime(bench) {} }
    let raw = RawDatabase(bench.url)
    raw.run("UPDATE ZPERSON SET ZTEXT = CAST(x'61ff62' AS TEXT) WHERE Z_PK = 3")
    raw.run("UPDATE ZPERSON SET ZTEXT = 'ä😀' || char(0) || 'x' WHERE Z_PK = 4")
    raw.run("UPDATE ZPERSON SET ZTEXT = '' WHERE Z_PK = 5")
    let store = try SQLiteStore.open(url: bench.url, model: bench.model, storeNumber: 1)
    let findings = try store.verify()
    #expect(findings.map(\.kind) == [.valueType] && findings.first?.count == 1, "\(findings)")
    try store.close()
  }

  @Test("A forecast leaves a journal for the program that opens the store")
  func journal() throws {
    let bench = try Self.bench()
    defer { withExtendedLifetime(bench) {} }
    let copy = bench.directory.file("crashed.sqlite")
    // What a crash in the middle of a large transaction leaves.
    let raw = RawDatabase(bench.url)
    try withExtendedLifetime(raw) {
      raw.run("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN")
      raw.run("UPDATE ZPERSON SET ZTEXT = hex(randomblob(20000))")
      for ending in ["", "-journal"] {
        try FileManager.default.copyItem(
          atPath: bench.url.path + ending, toPath: copy.path + ending)
      }
    }
    let journal = copy.path + "-journal"
    let before = try [Data(contentsOf: copy), Data(contentsOf: URL(filePath: journal))]
    var options = SQLiteStoreOptions()
    options.migration = MigrationPermission()
    let model = try ManagedObjectModel(entities: [
      EntityDescription(name: "Person", properties: [TestModels.attribute("name", .string)])
    ])
    let forecast = StoreForecast(url: copy, model: model, options: options).make()
    #expect(forecast.problems.map(\.code) == [.storeReadOnly])
    #expect(try [Data(contentsOf: copy), Data(contentsOf: URL(filePath: journal))] == before)
  }

  @Test("A copy that would have no table of objects is an error")
  func temporaryTable() throws {
    let bench = try Self.bench()
    defer { withExtendedLifetime(bench) {} }
    Self.edit(
      bench.url,
      "UPDATE sqlite_schema SET sql = replace(sql, 'CREATE TABLE', 'CREATE TEMP TABLE')"
        + " WHERE name = 'ZPERSON'")
    let copy = bench.directory.file("copy.sqlite")
    let error = try failure { try StoreBackup(of: bench.url, at: copy).take() }
    #expect(error.code == .storeCorrupt)
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    let store = bench.directory.file("store.sqlite")
    let refusal = try failure {
      try StoreBackup(of: store, at: bench.url).restore(replacesOther: true)
    }
    #expect(refusal.code == .storeCorrupt)
    #expect(StoreFile(store).size ?? 0 == 0)
  }

  @Test("A trigger of the copy changes nothing of what is restored")
  func trigger() throws {
    let bench = try Self.bench()
    defer { withExtendedLifetime(bench) {} }
    let raw = RawDatabase(bench.url)
    raw.run(
      "CREATE TRIGGER t AFTER UPDATE ON Z_METADATA BEGIN UPDATE Z_PRIMARYKEY SET Z_MAX = 1; END")
    let before = raw.value("SELECT Z_MAX FROM Z_PRIMARYKEY")
    let store = bench.directory.file("store.sqlite")
    try StoreBackup(of: store, at: bench.url).restore(replacesOther: true)
    #expect(RawDatabase(store).value("SELECT Z_MAX FROM Z_PRIMARYKEY") == before)
  }

  @Test("Two tables that begin on one page are neither opened nor migrated")
  func sharedPage() throws {
    let bench = try Self.bench()
    defer { withExtendedLifetime(bench) {} }
    Self.edit(
      bench.url,
      "CREATE TABLE other (a); UPDATE sqlite_schema SET rootpage ="
        + " (SELECT rootpage FROM sqlite_schema WHERE name = 'ZPERSON') WHERE name = 'other'")
    let error = try failure {
      try SQLiteStore.open(url: bench.url, model: bench.model, storeNumber: 1).close()
    }
    #expect(error.code == .storeCorrupt)
    #expect(error.message.contains("ZPERSON and other begin on one page"))
  }

  @Test("Metadata without a column that they need are those of a damaged store")
  func missingColumn() throws {
    let bench = try Self.bench()
    defer { withExtendedLifetime(bench) {} }
    #expect(RawDatabase(bench.url).run("ALTER TABLE Z_METADATA RENAME COLUMN Z_UUID TO x") == 0)
    let error = try failure {
      try SQLiteStore.open(url: bench.url, model: bench.model, storeNumber: 1).close()
    }
    #expect(error.code == .storeCorrupt)
    #expect(error.message.contains("its tables are not those of a store"))
  }
}
