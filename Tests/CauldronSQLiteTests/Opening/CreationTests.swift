import CauldronModel
import CauldronSQLite
import Foundation
import TestSupport
import Testing

@Suite("Creating a store")
struct CreationTests {
  @Test("A new file has Core Data's form: pages, vacuum, journal, keys")
  func form() throws {
    let bench = try StoreBench(try TestModels.people())
    let raw = RawDatabase(bench.url)
    #expect(raw.value("PRAGMA page_size") == "4096")
    #expect(raw.value("PRAGMA auto_vacuum") == "2")
    #expect(raw.value("PRAGMA journal_mode") == "wal")
    #expect(raw.value("PRAGMA encoding") == "UTF-8")
    #expect(
      raw.rows("SELECT * FROM Z_PRIMARYKEY") == [
        ["1", "Company", "0", "0"], ["2", "Passport", "0", "0"], ["3", "Person", "0", "0"],
        ["4", "Employee", "3", "0"], ["5", "Manager", "4", "0"],
      ])
    #expect(
      raw.rows("SELECT Z_VERSION, Z_UUID FROM Z_METADATA") == [["1", bench.store.identifier]])
    #expect(raw.value("PRAGMA integrity_check") == "ok")
  }

  @Test("An empty file becomes a store")
  func empty() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("x.sqlite")
    try Data().write(to: url)
    try SQLiteStore.open(url: url, model: try TestModels.people(), storeNumber: 1).close()
    #expect(try Data(contentsOf: url).count > 4096)
  }

  @Test("A store keeps its identifier and its rows when it is opened again")
  func reopen() throws {
    let bench = try StoreBench(try TestModels.people())
    let identifier = bench.store.identifier
    try bench.insert("Company", 1, ["name": .text("Acme")])
    try bench.reopen()
    #expect(bench.store.identifier == identifier)
    #expect(try bench.values("Company", 1)["name"] == .text("Acme"))
  }

  @Test("Nothing is left beside the file after closing, and no lock keeps it")
  func close() throws {
    let bench = try StoreBench(try TestModels.people())
    try bench.insert("Company", 1, [:])
    #expect(try bench.fetch("Company").count == 1)
    try bench.store.close()
    #expect(bench.isAlone)
    let error = try failure { _ = try bench.store.reader() }
    #expect(error.code == .stackClosed)
    #expect(error.description == "The store \"\(bench.url.path)\" was closed.")
  }

  @Test("A store that is too small for its tables is refused, and can be made afterwards")
  func tooSmall() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("x.sqlite")
    let model = try TestModels.people()
    let error = try failure {
      _ = try SQLiteStore.open(
        url: url, model: model, storeNumber: 1, options: SQLiteStoreOptions(maxPageCount: 3))
    }
    #expect(error.code == .storeDiskFull)
    try SQLiteStore.open(url: url, model: model, storeNumber: 1).close()
  }

  @Test("Names of files that URIs would misread are taken as they are")
  func names() throws {
    let directory = try TemporaryDirectory()
    for name in ["a b.sqlite", "ü?x=1#y%20.sqlite", "🙂.sqlite", "noextension"] {
      let url = directory.file(name)
      let model = try TestModels.people()
      try SQLiteStore.open(url: url, model: model, storeNumber: 1).close()
      try SQLiteStore.open(url: url, model: model, storeNumber: 1).close()
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
      #expect(names.contains(name))
    }
  }
}
