import CauldronModel
import CauldronQuery
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite("Rows whose entity number is wrong")
struct EntityNumberTests {
  @Test(
    "A row of a table of one entity with another number is an error of that row",
    arguments: ["NULL", "0", "1", "77", "4294967298", "'x'", "2.5"])
  func single(number: String) throws {
    let bench = try StoreBench(try TestModels.people())
    try bench.insert([bench.factory.row("Passport", 7), bench.factory.row("Passport", 8)])
    let raw = RawDatabase(bench.url)
    #expect(raw.run("UPDATE ZPASSPORT SET Z_ENT = \(number) WHERE Z_PK = 7") == 0)
    for call in [{ _ = try bench.fetch("Passport") }, { _ = try bench.row("Passport", 7) }] {
      let error = try failure(call)
      #expect(error.code == .storeBadValue)
      #expect(error.message.contains("row 7 has the entity number"))
      #expect(error.objectIDs.map(\.key) == [7])
    }
    #expect(try bench.row("Passport", 8).row.key == 8)
  }

  @Test("A row outside of the family that is asked for is not found, one inside has its own entity")
  func family() throws {
    let bench = try StoreBench(try TestModels.people())
    try bench.insert(
      ["Person", "Employee", "Manager"].enumerated().map {
        bench.factory.row($1, Int64($0 + 1))
      })
    let reader = try bench.store.reader()
    defer { reader.finish() }
    let employee = bench.model.entity("Employee")
    #expect(try reader.row(1, of: employee) == nil)
    #expect(
      try reader.row(3, of: employee)?.row.entityNumber == bench.model.entity("Manager").number)
    #expect(try reader.row(2, of: bench.model.entity("Manager")) == nil)
    #expect(
      try reader.row(3, of: bench.model.entity("Person"))?.row.entityNumber
        == bench.model.entity("Manager").number)
  }

  @Test("IDs do not take a long number for a short one")
  func ids() throws {
    let bench = try StoreBench(try TestModels.people())
    try bench.insert([bench.factory.row("Person", 7)])
    let number = Int64(bench.model.entity("Person").number) + 1 << 32
    RawDatabase(bench.url).run("UPDATE ZPERSON SET Z_ENT = \(number)")
    let reader = try bench.store.reader()
    defer { reader.finish() }
    let query = StoreQuery(entity: bench.model.entity("Person"))
    #expect(try failure { _ = try reader.ids(query, storeNumber: 1) }.code == .storeBadValue)
  }

  @Test(
    "A reference to an entity outside of its destination's family leads to the destination",
    arguments: [99, 1, -3])
  func entityKey(number: Int) throws {
    let bench = try StoreBench(try TestModels.people())
    try bench.insert([
      bench.factory.row("Person", 3), bench.factory.row("Passport", 1, ["holder": .integer(3)]),
    ])
    RawDatabase(bench.url).run("UPDATE ZPASSPORT SET Z3_HOLDER = \(number)")
    let slot = try #require(bench.model.entity("Passport").property("holder").entitySlot)
    #expect(try bench.row("Passport", 1).row.slot(slot) == 3)
  }
}
