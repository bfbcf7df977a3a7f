import CauldronModel
import CauldronSQLite
import Foundation
import TestSupport
import Testing

@Suite("Properties of one name in sibling subentities")
struct TwinColumnTests {
  private static func model(dogText: AttributeType = .string) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(name: "Animal", properties: [TestModels.attribute("name", .string)]),
      EntityDescription(
        name: "Cat", superentity: "Animal",
        properties: [
          TestModels.attribute("text", .string), TestModels.toOne("toy", "Toy", inverse: "cats"),
        ]),
      EntityDescription(
        name: "Dog", superentity: "Animal",
        properties: [
          TestModels.attribute("text", dogText), TestModels.toOne("toy", "Toy", inverse: "dogs"),
        ]),
      EntityDescription(name: "Puppy", superentity: "Dog", properties: []),
      EntityDescription(
        name: "Toy",
        properties: [
          TestModels.toMany("cats", "Cat", inverse: "toy"),
          TestModels.toMany("dogs", "Dog", inverse: "toy"),
        ]),
      EntityDescription(name: "Ball", superentity: "Toy", properties: []),
    ])
  }

  /// Gives the columns of a closed store the names that another program might have given them.
  private static let swap =
    "ALTER TABLE ZANIMAL RENAME COLUMN ZTEXT TO x; ALTER TABLE ZANIMAL RENAME COLUMN ZTEXT1 TO ZTEXT;"
    + " ALTER TABLE ZANIMAL RENAME COLUMN x TO ZTEXT1;"
    + " ALTER TABLE ZANIMAL RENAME COLUMN ZTOY TO y; ALTER TABLE ZANIMAL RENAME COLUMN ZTOY1 TO ZTOY;"
    + " ALTER TABLE ZANIMAL RENAME COLUMN y TO ZTOY1;"
    + " ALTER TABLE ZANIMAL RENAME COLUMN Z5_TOY TO z;"
    + " ALTER TABLE ZANIMAL RENAME COLUMN Z5_TOY1 TO Z5_TOY;"
    + " ALTER TABLE ZANIMAL RENAME COLUMN z TO Z5_TOY1"
  /// Core Data has a copy of its model there; ours, which says that the store is our own, goes.
  private static let cache = "DELETE FROM Z_MODELCACHE"

  private static func bench(
    _ rows: [(String, Int64, [String: AttributeScalar])], _ statements: String...
  ) throws -> StoreBench {
    let bench = try StoreBench(try model())
    try bench.insert([bench.factory.row("Ball", 1), bench.factory.row("Toy", 2)])
    try bench.insert(rows.map { bench.factory.row($0.0, $0.1, $0.2) })
    try bench.store.close()
    for statement in statements { #expect(RawDatabase(bench.url).run(statement) == 0) }
    return bench
  }

  private static let animals: [(String, Int64, [String: AttributeScalar])] = [
    ("Cat", 1, ["text": .text("meow"), "toy": .integer(1)]),
    ("Dog", 2, ["text": .text("woof"), "toy": .integer(2)]), ("Puppy", 3, ["text": .text("yip")]),
    ("Animal", 4, [:]),
  ]

  @Test(
    "The rows tell whose column it is, in every order", arguments: [false, true], [false, true])
  func swapped(isSwapped: Bool, hasCache: Bool) throws {
    let bench = try Self.bench(Self.animals)
    let raw = RawDatabase(bench.url)
    if isSwapped { #expect(raw.run(Self.swap) == 0) }
    if hasCache { #expect(raw.run(Self.cache) == 0) }
    try bench.reopen()
    #expect(try bench.values("Cat", 1)["text"] == .text("meow"))
    #expect(try bench.values("Cat", 1)["toy"] == .integer(1))
    #expect(try bench.values("Dog", 2)["text"] == .text("woof"))
    #expect(try bench.values("Dog", 2)["toy"] == .integer(2))
    #expect(try bench.values("Puppy", 3)["text"] == .text("yip"))
    try bench.insert("Cat", 9, ["text": .text("purr"), "toy": .integer(2)])
    let tail = isSwapped ? "1" : ""
    #expect(
      raw.rows(
        "SELECT ZTEXT\(tail), ZTOY\(tail), Z5_TOY\(tail) FROM ZANIMAL WHERE Z_PK = 9")
        == [["purr", "2", "5"]])
  }

  @Test("One entity's values tell the other's column, too")
  func elimination() throws {
    let bench = try Self.bench(
      [("Puppy", 3, ["text": .text("yip"), "toy": .integer(1)])], Self.swap, Self.cache)
    try bench.reopen()
    #expect(try bench.values("Dog", 3)["text"] == .text("yip"))
    try bench.insert("Cat", 9, ["text": .text("purr")])
    #expect(
      RawDatabase(bench.url).value("SELECT ZTEXT1 FROM ZANIMAL WHERE Z_PK = 9") == "purr")
  }

  @Test("Where no row tells, the entity of the lowest number has the name without a digit")
  func undecided() throws {
    let bench = try Self.bench([("Cat", 1, [:]), ("Dog", 2, [:])])
    try bench.reopen()
    try bench.store.close()
    let raw = RawDatabase(bench.url)
    #expect(raw.run(Self.cache) == 0)
    try bench.reopen()
    try bench.insert("Cat", 9, ["text": .text("purr")])
    try bench.insert("Dog", 10, ["text": .text("woof")])
    #expect(raw.rows("SELECT ZTEXT, ZTEXT1 FROM ZANIMAL WHERE Z_PK = 9") == [["purr", "-"]])
    #expect(raw.rows("SELECT ZTEXT, ZTEXT1 FROM ZANIMAL WHERE Z_PK = 10") == [["-", "woof"]])
  }

  @Test("Values that fit two orders, neither of which is the planned one, are refused")
  func undecidedAmongOthers() throws {
    let entities = ["Cat", "Dog", "Eel"].map {
      EntityDescription(
        name: $0, superentity: "Animal",
        properties: [.attribute(AttributeDescription(name: "text", type: .string))])
    }
    let bench = try StoreBench(
      ManagedObjectModel(entities: [EntityDescription(name: "Animal", properties: [])] + entities))
    try bench.insert("Cat", 1, ["text": .text("meow")])
    try bench.store.close()
    let move = "UPDATE ZANIMAL SET ZTEXT1 = ZTEXT, ZTEXT = NULL"
    #expect(RawDatabase(bench.url).run(move) == 0)
    let error = try failure { try bench.reopen() }
    #expect(error.code == .storeUnsupported)
    #expect(error.message.contains("nothing tells which of the columns ZTEXT, ZTEXT1, ZTEXT2"))
  }

  @Test("Types tell columns apart that have no values")
  func types() throws {
    let model = try Self.model(dogText: .integer64)
    let bench = try StoreBench(model)
    try bench.insert("Cat", 1, ["toy": .null])
    try bench.insert([bench.factory.row("Toy", 1)])
    try bench.insert("Cat", 2, ["toy": .integer(1)])
    try bench.store.close()
    #expect(RawDatabase(bench.url).run(Self.cache) == 0)
    try bench.reopen()
    try bench.insert("Dog", 3, ["text": .integer(5)])
    #expect(try bench.values("Dog", 3)["text"] == .integer(5))
  }

  @Test("Columns that hold values of both are refused")
  func mixed() throws {
    let bench = try Self.bench(
      Self.animals, "UPDATE ZANIMAL SET ZTEXT1 = 'lost', ZTEXT = NULL WHERE Z_PK = 1")
    let error = try failure { try bench.reopen() }
    #expect(error.code == .storeCorrupt)
    #expect(error.message.contains("columns ZTEXT, ZTEXT1 have values in rows whose entities"))
  }
}
