import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

/// Rows of which one statement deletes several.
@Suite("Many deletions")
struct ManyDeletionsTests {
  @Test("Neighbours of one version take one statement, and no other row goes with them")
  func ranges() throws {
    let bench = try StoreBench([("a", .integer64)])
    let rows = (1...40).map { bench.factory.row("Thing", $0, version: $0 < 21 ? 1 : 2) }
    try bench.insert(rows)
    let gone = rows.filter { ![7, 8, 30].contains($0.row.key) }.map(\.row)
    let receipt = try bench.save(bench.changes(deleted: gone))
    #expect(receipt.failures[0] == nil && receipt.rowCount == 37)
    // 1 to 6, 9 to 20, 21 to 29, 31 to 40; BEGIN, COMMIT.
    #expect(receipt.statementCount == 6)
    #expect(try bench.fetch("Thing").map(\.key) == [7, 8, 30])
  }

  @Test("A row without a version goes with those of version 0")
  func withoutVersion() throws {
    let bench = try StoreBench([("a", .integer64)])
    let rows = (1...10).map { bench.factory.row("Thing", $0, version: 0) }
    try bench.insert(rows)
    RawDatabase(bench.url).run("UPDATE ZTHING SET Z_OPT = NULL WHERE Z_PK = 5")
    #expect(try bench.save(bench.changes(deleted: rows.map(\.row))).failures[0] == nil)
    #expect(try bench.fetch("Thing").isEmpty)
  }

  @Test("The greatest key has no neighbour behind it")
  func ends() throws {
    let bench = try StoreBench([("a", .integer64)])
    let rows = [Int64.max - 1, .max, 1].map { bench.factory.row("Thing", $0) }
    try bench.insert(rows)
    #expect(try bench.save(bench.changes(deleted: rows.map(\.row))).failures[0] == nil)
    #expect(try bench.fetch("Thing").isEmpty)
  }

  @Test(
    "The one that has changed, or is gone, is named, and its layer alone stays",
    arguments: [true, false])
  func conflict(isGone: Bool) throws {
    let bench = try StoreBench([("a", .integer64)])
    let rows = (1...60).map { bench.factory.row("Thing", $0) }
    try bench.insert(rows)
    RawDatabase(bench.url).run(
      isGone
        ? "DELETE FROM ZTHING WHERE Z_PK = 33"
        : "UPDATE ZTHING SET ZA = 1, Z_OPT = 2 WHERE Z_PK = 33")
    let layers = [1...20, 21...40, 41...60].map { keys in
      bench.changes(deleted: rows.map(\.row).filter { keys.contains($0.key) })
    }
    let receipt = try bench.save(layers[0], layers[1], layers[2])
    #expect(receipt.failures.map(\.?.code) == [nil, .saveConflict, nil])
    #expect(receipt.failures[1]?.objectIDs.map(\.key) == [33])
    #expect(receipt.failures[1]?.message.contains("deleted since") == isGone)
    #expect(try bench.fetch("Thing").map(\.key) == (21...40).filter { !isGone || $0 != 33 })
    // The next save deletes by the range again.
    let rest = rows[20..<32].map(\.row)
    #expect(try bench.save(bench.changes(deleted: rest)).statementCount == 3)
  }

  @Test("The one that a trigger keeps is named", arguments: ["ABORT", "ROLLBACK"])
  func trigger(resolution: String) throws {
    let bench = try StoreBench([("a", .integer64)])
    let rows = (1...60).map { bench.factory.row("Thing", $0) }
    try bench.insert(rows)
    RawDatabase(bench.url).run(
      "CREATE TRIGGER t BEFORE DELETE ON ZTHING WHEN OLD.Z_PK = 33 BEGIN"
        + " SELECT RAISE(\(resolution), 'enough'); END")
    let changes = bench.changes(deleted: rows.map(\.row))
    let error = try #require(try bench.save(changes).failures[0])
    #expect(error.code == .saveConstraint && error.objectIDs.map(\.key) == [33])
    #expect(error.message.contains("enough"))
    #expect(try bench.fetch("Thing").count == 60)
    RawDatabase(bench.url).run("DROP TRIGGER t")
    #expect(try bench.save(changes).failures[0] == nil)
    #expect(try bench.fetch("Thing").isEmpty)
  }
}
