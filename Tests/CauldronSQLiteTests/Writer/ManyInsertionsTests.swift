import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

/// Rows of which one statement inserts several.
@Suite("Many insertions")
struct ManyInsertionsTests {
  @Test("Many rows take few statements and arrive as they are, more than once")
  func values() throws {
    let bench = try StoreBench([("a", .string), ("b", .double), ("c", .binary), ("d", .decimal)])
    var expected: [Int64: [String: AttributeScalar]] = [:]
    for (round, count) in [1_100, 37, 5].enumerated() {
      let rows = (0..<count).map { number in
        let key = Int64(round * 10_000 + number + 1)
        expected[key] = Self.values(number)
        return bench.factory.row("Thing", key, Self.values(number).filter { !$0.value.isNull })
      }
      let receipt = try bench.save(bench.changes(inserted: rows))
      #expect(receipt.failures.allSatisfy { $0 == nil } && receipt.rowCount == count)
      // Thirty-two rows a statement; BEGIN, the key counter, COMMIT.
      #expect(receipt.statementCount == count / 32 + count % 32 + 3)
    }
    let stored = try bench.fetch("Thing")
    let thing = bench.model.entity("Thing")
    #expect(stored.count == expected.count)
    stored.walk { row in
      #expect(thing.values(of: row) == expected[row.key], "\(row.key)")
      #expect(row.version == 1)
    }
    #expect(RawDatabase(bench.url).value("SELECT Z_MAX FROM Z_PRIMARYKEY") == "20005")
  }

  /// Each attribute is nil in some rows, so that nothing of another row may shine through.
  private static func values(_ number: Int) -> [String: AttributeScalar] {
    [
      "a": number % 3 == 0 ? .null : .text("text number \(number)"),
      "b": number % 5 == 0 ? .null : .real(Double(number) / 2),
      "c": number % 7 == 0 ? .null : .blob(Data([1, 2, UInt8(number % 256)])),
      "d": number % 11 == 0 ? .null : .text("\(number)"),
    ]
  }

  @Test(
    "One row that is refused is named, with the one that has its value", arguments: [true, false])
  func constraint(isStored: Bool) throws {
    let bench = try StoreBench(try TestModels.people())
    let good = bench.changes(inserted: (1...700).map { person(bench, $0, "e\($0)") })
    // The twin is a stored row, or one that the same statement inserts.
    let twin = isStored ? 5 : 1_515
    let bad = bench.changes(
      inserted: (1_001...1_700).map { person(bench, $0, $0 == 1_517 ? "e\(twin)" : "e\($0)") })
    let last = bench.changes(inserted: (2_001...2_700).map { person(bench, $0, "e\($0)") })
    let receipt = try bench.save(good, bad, last)
    #expect(receipt.failures.map(\.?.code) == [nil, .saveConstraint, nil])
    let error = try #require(receipt.failures[1])
    #expect(error.objectIDs.map(\.key) == [1_517, Int64(twin)])
    #expect(error.message.contains("email must be unique"))
    #expect(error.sqliteCode == 2067)
    let keys = try bench.fetch("Person").map(\.key)
    #expect(keys == (1...700).map { $0 } + (2_001...2_700).map { $0 })
  }

  @Test("A key that is taken is told, too")
  func exists() throws {
    let bench = try StoreBench(try TestModels.people())
    try bench.insert("Manager", 333, [:])
    let rows = (1...700).map { person(bench, $0, "e\($0)") }
    let error = try #require(try bench.save(bench.changes(inserted: rows)).failures[0])
    #expect(error.code == .saveConflict && error.objectIDs.map(\.key) == [333])
    #expect(try bench.fetch("Person").map(\.key) == [333])
  }

  @Test("Where a trigger ends the transaction, nothing is written without one")
  func rollback() throws {
    let bench = try StoreBench([("a", .integer64)])
    RawDatabase(bench.url).run(
      "CREATE TRIGGER t BEFORE INSERT ON ZTHING WHEN NEW.ZA = 517 BEGIN"
        + " SELECT RAISE(ROLLBACK, 'enough'); END")
    let rows = (1...700).map { bench.factory.row("Thing", $0, ["a": .integer($0)]) }
    #expect(throws: CauldronError.self) { try bench.save(bench.changes(inserted: rows)) }
    #expect(try bench.fetch("Thing").isEmpty)
    RawDatabase(bench.url).run("DROP TRIGGER t")
    try bench.insert(rows)
    #expect(try bench.fetch("Thing").count == 700)
  }

  private func person(_ bench: StoreBench, _ key: Int, _ email: String) -> HeldRow {
    bench.factory.row("Person", Int64(key), ["email": .text(email)])
  }
}
