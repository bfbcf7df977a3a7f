import CauldronModel
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite("A full disk")
struct DiskFullTests {
  @Test("A save that does not fit writes nothing, and fits when there is room")
  func full() throws {
    let bench = try StoreBench([("text", .string)])
    try bench.insert("Thing", 1, ["text": .text("first")])
    let pages = try #require(Int(RawDatabase(bench.url).value("PRAGMA page_count")))
    try bench.store.setMaxPageCount(pages + 4)
    let rows = (2...38).map {
      bench.factory.row("Thing", $0, ["text": .text(String(repeating: "x", count: 4_000))])
    }
    let set = bench.changes(inserted: rows)
    let error = try failure {
      try bench.save(set) { Issue.record("nothing is committed") }
    }
    #expect(error.code == .storeDiskFull)
    #expect(
      error.description
        == "Cannot save 37 changes to \"\(bench.url.path)\": disk is full (SQLite 13)."
        + " Nothing was written, and nothing is lost; free some space and save again.")
    #expect(error.sqliteCode == 13)
    #expect(try bench.fetch("Thing").map(\.key) == [1])
    try bench.store.setMaxPageCount(nil)
    #expect(try bench.save(set).rowCount == 37)
    #expect(try bench.fetch("Thing").count == 38)
  }

  @Test("A full disk fails every layer, as nothing of the transaction is left")
  func layers() throws {
    let bench = try StoreBench([("text", .string)])
    let pages = try #require(Int(RawDatabase(bench.url).value("PRAGMA page_count")))
    try bench.store.setMaxPageCount(pages + 2)
    let small = bench.changes(inserted: [bench.factory.row("Thing", 1)])
    let big = bench.changes(
      inserted: [
        bench.factory.row("Thing", 2, ["text": .text(String(repeating: "x", count: 100_000))])
      ])
    #expect(try failure { try bench.save(small, big) }.code == .storeDiskFull)
    #expect(try bench.fetch("Thing").isEmpty)
    try bench.save(small)
    #expect(try bench.fetch("Thing").count == 1)
  }
}
