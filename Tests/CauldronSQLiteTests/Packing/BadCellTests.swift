import CauldronModel
import CauldronQuery
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite("Cells that do not hold what their column should")
struct BadCellTests {
  private static let attributes: [(String, AttributeType)] = [
    ("age", .integer64), ("height", .double), ("name", .string), ("balance", .decimal),
    ("photo", .binary), ("token", .uuid),
  ]

  @Test(
    "A cell of the wrong type is an error that names it",
    arguments: [
      ("ZAGE = 'abc'", "age", "expected integer, found text."),
      ("ZAGE = 1.5", "age", "expected integer, found real."),
      ("ZAGE = x'00'", "age", "expected integer, found bytes."),
      ("ZAGE = 1e300", "age", "expected integer, found real."),
      ("ZHEIGHT = 'tall'", "height", "expected real, found text."),
      ("ZHEIGHT = x'00'", "height", "expected real, found bytes."),
      ("ZNAME = x'00'", "name", "expected text, found bytes."),
      ("ZBALANCE = 'much'", "balance", "expected decimal, found text."),
      ("ZBALANCE = 9e999", "balance", "expected decimal, found real."),
      ("ZPHOTO = 'text'", "photo", "expected bytes, found text."),
      ("ZPHOTO = 5", "photo", "expected bytes, found integer."),
      ("ZTOKEN = x'0102'", "token", "expected 16 bytes, found 2 bytes."),
    ])
  func wrong(assignment: String, property: String, problem: String) throws {
    let bench = try StoreBench(entity: "Person", Self.attributes)
    try bench.insert((1...9).map { bench.factory.row("Person", $0) })
    #expect(RawDatabase(bench.url).run("UPDATE ZPERSON SET \(assignment) WHERE Z_PK = 7") == 0)
    let calls: [() throws -> Void] = [
      { _ = try bench.fetch("Person") }, { _ = try bench.row("Person", 7) },
    ]
    for call in calls {
      let error = try failure(call)
      #expect(error.code == .storeBadValue)
      #expect(
        error.message == "Cannot read Person.\(property) of"
          + " x-coredata://\(bench.store.identifier)/Person/p7: \(problem)")
      #expect(error.objectIDs.map(\.key) == [7])
    }
    #expect(try bench.row("Person", 6).row.key == 6)
    let others = PredicateNode.comparison(key: "age", .equal, .integer(3))
    #expect(try bench.fetch("Person", where: others).isEmpty)
  }

  @Test(
    "A cell that can be converted is",
    arguments: [
      ("ZAGE = CAST('12' AS TEXT)", "age", AttributeScalar.integer(12)),
      ("ZAGE = 12.0", "age", .integer(12)), ("ZHEIGHT = 3", "height", .real(3)),
      ("ZNAME = 12", "name", .text("12")), ("ZBALANCE = 2.5", "balance", .text("2.5")),
      ("ZBALANCE = '7'", "balance", .text("7")),
    ])
  func converted(assignment: String, property: String, value: AttributeScalar) throws {
    let bench = try StoreBench(entity: "Person", Self.attributes)
    try bench.insert("Person", 7, [:])
    #expect(RawDatabase(bench.url).run("UPDATE ZPERSON SET \(assignment)") == 0)
    #expect(try bench.values("Person", 7)[property] == value)
  }

  @Test("Invalid UTF-8 is read as it is")
  func invalidText() throws {
    let bench = try StoreBench(entity: "Person", Self.attributes)
    try bench.insert("Person", 7, [:])
    RawDatabase(bench.url).run("UPDATE ZPERSON SET ZNAME = CAST(x'61ff62' AS TEXT)")
    let held = try bench.row("Person", 7)
    #expect(Array(held.row.bytes(2)) == [0x61, 0xFF, 0x62])
  }

  @Test("A row without a version has version 0, and can be changed and deleted")
  func noVersion() throws {
    let bench = try StoreBench(entity: "Person", Self.attributes)
    try bench.insert("Person", 7, [:])
    RawDatabase(bench.url).run("UPDATE ZPERSON SET Z_OPT = NULL")
    let held = try bench.row("Person", 7)
    #expect(held.row.version == 0)
    let update = bench.factory.update(held.row, ["age": .integer(1)])
    let receipt = try bench.save(bench.changes(updated: [update], keeping: [held]))
    #expect(receipt.failures.compactMap(\.self).isEmpty)
    #expect(try bench.row("Person", 7).row.version == 1)
  }

  @Test("A row of an unknown entity is an error")
  func unknownEntity() throws {
    let bench = try StoreBench(try TestModels.people())
    try bench.insert("Person", 7, [:])
    for number in ["42", "0", "-1", "NULL", "1"] {
      RawDatabase(bench.url).run("UPDATE ZPERSON SET Z_ENT = \(number)")
      let error = try failure { _ = try bench.fetch("Person") }
      #expect(error.code == .storeBadValue)
      #expect(error.message.contains("row 7 has the entity number"))
    }
  }

  @Test("A missing entity number beside a reference is the destination's own")
  func missingEntityKey() throws {
    let bench = try StoreBench(try TestModels.people())
    try bench.insert([
      bench.factory.row("Person", 3), bench.factory.row("Passport", 1, ["holder": .integer(3)]),
    ])
    RawDatabase(bench.url).run("UPDATE ZPASSPORT SET Z3_HOLDER = NULL")
    let passport = bench.model.entity("Passport")
    let slot = try #require(passport.property("holder").entitySlot)
    #expect(try bench.row("Passport", 1).row.slot(slot) == 3)
  }
}
