import CauldronModel
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite("Versions of rows that cannot be counted on from")
struct VersionTests {
  @Test(
    "A row with such a version is an error that names it, and no other row is",
    arguments: [
      "2147483647", "4294967296", "4294967297", "-1", "9223372036854775807", "'x'", "1.5",
    ])
  func read(version: String) throws {
    let bench = try StoreBench(try TestModels.people())
    try bench.insert((1...3).map { bench.factory.row("Employee", $0) })
    let raw = RawDatabase(bench.url)
    #expect(raw.run("UPDATE ZPERSON SET Z_OPT = \(version) WHERE Z_PK = 2") == 0)
    for call in [{ _ = try bench.fetch("Person") }, { _ = try bench.row("Employee", 2) }] {
      let error = try failure(call)
      #expect(error.code == .storeBadValue)
      #expect(error.message.contains("Cannot read Employee"))
      #expect(error.message.contains("row 2 has the version"))
      #expect(error.objectIDs.map(\.key) == [2])
    }
    #expect(try bench.row("Person", 3).row.version == 1)
  }

  @Test("The greatest version is read, and no change makes a greater one")
  func greatest() throws {
    let bench = try StoreBench([("a", .integer64)])
    try bench.insert("Thing", 1, ["a": .integer(1)])
    RawDatabase(bench.url).run("UPDATE ZTHING SET Z_OPT = \(RowPointer.greatestVersion)")
    let held = try bench.row("Thing", 1)
    #expect(held.row.version == RowPointer.greatestVersion)
    let update = bench.factory.update(held.row, ["a": .integer(2)])
    let set = bench.changes(updated: [update], keeping: [held])
    let error = try #require(try bench.save(set).failures.first ?? nil)
    #expect(error.code == .storeBadValue)
    #expect(error.objectIDs.map(\.key) == [1])
    #expect(try bench.values("Thing", 1)["a"] == .integer(1))
  }
}
