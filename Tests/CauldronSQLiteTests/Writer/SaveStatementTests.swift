import CauldronModel
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite("What a save writes")
struct SaveStatementTests {
  @Test("An update touches only the changed columns and the version")
  func changedColumns() throws {
    let bench = try StoreBench([("a", .string), ("b", .string)])
    let row = bench.factory.row("Thing", 1, ["a": .text("1"), "b": .text("1")])
    try bench.insert([row])
    // A foreign writer that does not know of versions.
    RawDatabase(bench.url).run("UPDATE ZTHING SET ZB = 'kept'")
    let update = bench.factory.update(row.row, ["a": .text("2")], version: 7)
    try bench.save(bench.changes(updated: [update]))
    #expect(
      RawDatabase(bench.url).rows("SELECT Z_ENT, Z_OPT, ZA, ZB FROM ZTHING")
        == [["1", "7", "2", "kept"]])
  }

  @Test("Updates of different properties in one save each write their own")
  func mixedUpdates() throws {
    let bench = try StoreBench([("a", .string), ("b", .integer64), ("c", .double)])
    let rows = (1...9).map { bench.factory.row("Thing", $0, ["a": .text("x")]) }
    try bench.insert(rows)
    let updates = rows.map { held in
      switch held.row.key % 3 {
      case 0: bench.factory.update(held.row, ["a": .null])
      case 1: bench.factory.update(held.row, ["b": .integer(held.row.key)])
      default: bench.factory.update(held.row, ["b": .integer(0), "c": .real(0.5)])
      }
    }
    #expect(try bench.save(bench.changes(updated: updates)).rowCount == 9)
    #expect(
      RawDatabase(bench.url).rows("SELECT ZA, ZB, ZC, Z_OPT FROM ZTHING LIMIT 3")
        == [["x", "1", "-", "2"], ["x", "0", "0.5", "2"], ["-", "-", "-", "2"]])
  }

  @Test("Statements and rows are counted")
  func counts() throws {
    let bench = try StoreBench([("a", .string)])
    let rows = (1...5).map { bench.factory.row("Thing", $0) }
    let receipt = try bench.save(bench.changes(inserted: rows))
    #expect(receipt.rowCount == 5)
    // BEGIN, five rows, the key counter, COMMIT.
    #expect(receipt.statementCount == 8)
    #expect(try bench.save().statementCount == 0)
  }

  @Test("The key counter is never below a written key, and reserved keys never meet rows")
  func keyCounter() throws {
    let bench = try StoreBench([("a", .string)])
    let thing = bench.model.entity("Thing")
    try bench.insert("Thing", 40, [:])
    #expect(RawDatabase(bench.url).value("SELECT Z_MAX FROM Z_PRIMARYKEY") == "40")
    #expect(try bench.store.reserveKeys(2, for: thing) == 41..<43)
    RawDatabase(bench.url).run("INSERT INTO ZTHING (Z_PK) VALUES (100)")
    #expect(try bench.store.reserveKeys(2, for: thing) == 101..<103)
    RawDatabase(bench.url).run("UPDATE Z_PRIMARYKEY SET Z_MAX = NULL")
    #expect(try bench.store.reserveKeys(1, for: thing) == 101..<102)
    #expect(try bench.store.reserveKeys(0, for: thing).isEmpty)
  }

  @Test("A counter without a row or without room is an error")
  func noKeys() throws {
    let bench = try StoreBench([("a", .string)])
    let thing = bench.model.entity("Thing")
    RawDatabase(bench.url).run("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775800")
    #expect(try failure { _ = try bench.store.reserveKeys(100, for: thing) }.code == .storeCorrupt)
    RawDatabase(bench.url).run("DELETE FROM Z_PRIMARYKEY")
    #expect(try failure { _ = try bench.store.reserveKeys(1, for: thing) }.code == .storeCorrupt)
  }

  @Test("willCommit is not called where no layer can be written")
  func willCommit() throws {
    let bench = try StoreBench(try TestModels.people())
    let bad = bench.changes(inserted: [bench.factory.row("Person", 1, ["employer": .integer(9)])])
    let receipt = try bench.save(bad) { Issue.record("nothing is committed") }
    #expect(receipt.failures.map(\.?.code) == [.storeDanglingReference])
    #expect(receipt.rowCount == 0)
  }

  @Test("A violated constraint names the properties and who has the values")
  func constraint() throws {
    let bench = try StoreBench(try TestModels.people())
    try bench.insert("Manager", 2, ["email": .text("a@b")])
    let twin = bench.factory.row("Person", 3, ["email": .text("a@b")])
    let error = try #require(try bench.save(bench.changes(inserted: [twin])).failures[0])
    let prefix = "x-coredata://\(bench.store.identifier)"
    #expect(error.code == .saveConstraint)
    #expect(
      error.message
        == "Cannot save Person \(prefix)/Person/p3: email must be unique; \(prefix)/Manager/p2 has the"
        + " same value.")
    #expect(error.sqliteCode == 2067)
    #expect(error.objectIDs.map(\.key) == [3, 2])
    #expect(error.path == bench.url.path)
  }

  @Test("A row that exists cannot be inserted")
  func exists() throws {
    let bench = try StoreBench(try TestModels.people())
    try bench.insert("Manager", 2, [:])
    let twin = bench.factory.row("Person", 2)
    let error = try #require(try bench.save(bench.changes(inserted: [twin])).failures[0])
    #expect(error.code == .saveConflict)
    #expect(error.message.hasSuffix("Person/p2: the store has it already."))
  }

  @Test("A constraint of another program is an error of the layer alone")
  func foreignConstraint() throws {
    let bench = try StoreBench([("a", .integer64)])
    RawDatabase(bench.url).run(
      "CREATE TRIGGER t BEFORE INSERT ON ZTHING WHEN NEW.ZA > 5 BEGIN"
        + " SELECT RAISE(ABORT, 'too much'); END")
    let good = bench.changes(inserted: [bench.factory.row("Thing", 1, ["a": .integer(1)])])
    let bad = bench.changes(inserted: [bench.factory.row("Thing", 2, ["a": .integer(9)])])
    let receipt = try bench.save(good, bad)
    #expect(receipt.failures.map(\.?.code) == [nil, .saveConstraint])
    #expect(receipt.failures[1]?.message.contains("too much") == true)
    #expect(try bench.fetch("Thing").map(\.key) == [1])
  }

  @Test("A conflict with a row that cannot be decoded is still a conflict")
  func undecodableConflict() throws {
    let bench = try StoreBench([("a", .integer64)])
    let row = bench.factory.row("Thing", 1, ["a": .integer(1)])
    try bench.insert([row])
    RawDatabase(bench.url).run("UPDATE ZTHING SET ZA = 'x', Z_OPT = 4")
    let update = bench.factory.update(row.row, ["a": .integer(2)])
    let error = try #require(try bench.save(bench.changes(updated: [update])).failures[0])
    #expect(error.code == .saveConflict)
    #expect(error.message.hasSuffix("changed since it was read (version 1, store has 4)."))
  }
}
