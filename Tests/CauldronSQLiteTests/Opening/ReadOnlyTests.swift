import CauldronModel
import CauldronSQLite
import Foundation
import TestSupport
import Testing

@Suite("A store that is opened for reading")
struct ReadOnlyTests {
  @Test("Nothing is created for reading, neither a file nor its directory")
  func missing() throws {
    let directory = try TemporaryDirectory()
    let options = SQLiteStoreOptions(readOnly: true, createDirectory: true)
    for name in ["x.sqlite", "a/x.sqlite"] {
      let error = try failure {
        _ = try SQLiteStore.open(
          url: directory.file(name), model: try TestModels.people(), storeNumber: 1,
          options: options)
      }
      #expect(error.code == .storeCannotOpen)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == [])
  }

  @Test("What another connection saves is seen, and a log beside the file is read")
  func live() throws {
    let bench = try StoreBench([("a", .integer64)])
    try bench.insert("Thing", 1, ["a": .integer(1)])
    let raw = RawDatabase(bench.url)
    #expect(raw.value("SELECT count(*) FROM ZTHING") == "1")
    try bench.reopen(SQLiteStoreOptions(readOnly: true))
    #expect(try bench.values("Thing", 1)["a"] == .integer(1))
    #expect(raw.run("UPDATE ZTHING SET ZA = 2") == 0)
    #expect(try bench.values("Thing", 1)["a"] == .integer(2))
  }
}
