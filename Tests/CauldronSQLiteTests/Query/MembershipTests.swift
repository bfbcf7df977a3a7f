import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

@Suite("Lists in conditions")
struct MembershipTests {
  private let model: ManagedObjectModel
  private let schema: StoreSchema

  init() throws {
    model = try TestModels.people()
    schema = try StoreSchema(model: model)
  }

  private func condition(_ node: PredicateNode) throws -> SQLFragment {
    let person = model.entity("Person")
    return PredicateSQL(schema, person).condition(try node.bound(to: person))
  }

  private func ids(_ entity: String, _ count: Int) -> [ManagedObjectID] {
    (1...count).map {
      ManagedObjectID(
        key: Int64($0), entityNumber: model.entity(entity).number, storeNumber: 1)
    }
  }

  /// The same question about so many values, for each kind of value but reals.
  private func lists(_ count: Int) -> [PredicateNode] {
    let numbers = 1...count
    return [
      .isSelf(ids("Person", count)), .refersTo(key: "employer", ids("Company", count)),
      .isIn(key: "age", numbers.map { .integer(Int64($0)) }),
      .isIn(key: "email", numbers.map { .text("a\($0)@b.c") }),
      .isIn(key: "balance", numbers.map { .text("\($0).5") }),
      .isIn(key: "token", numbers.map { .blob(Data(repeating: UInt8($0 % 251), count: $0)) }),
    ]
  }

  @Test("A condition has one text, however long its list is")
  func oneText() throws {
    let texts = try lists(2).map { try condition($0).text }
    #expect(
      texts[..<3] == [
        "Z_PK IN (SELECT value FROM json_each(?))",
        "ZEMPLOYER IN (SELECT value FROM json_each(?))",
        "(ZAGE IN (SELECT value FROM json_each(?)))",
      ])
    for count in [3, 17, 700] {
      #expect(try lists(count).map { try condition($0).text } == texts)
    }
  }

  @Test("Lists of reals have few texts, each with all its values")
  func reals() throws {
    var texts: Set<String> = []
    for count in 2...512 {
      let values = (1...count).map { AttributeScalar.real(Double($0) / 3) }
      let found = try condition(.isIn(key: "height", values))
      texts.insert(found.text)
      #expect(found.text.count { $0 == "?" } == found.values.count)
      let bound = found.values.compactMap { if case .real(let value) = $0 { value } else { nil } }
      #expect(Set(bound).count == count)
    }
    #expect(texts.count == 9)
  }

  @Test("A list of one value is a comparison")
  func one() throws {
    let texts = try lists(1).map { try condition($0).text }
    #expect(
      texts == [
        "Z_PK = ?", "ZEMPLOYER = ?", "(ZAGE = ?)", "(ZEMAIL = ?)",
        "(ZBALANCE = CAST(? AS NUMERIC))", "(ZTOKEN = ?)",
      ])
    #expect(try condition(.isIn(key: "height", [.real(0.1)])).text == "(ZHEIGHT = ?)")
  }

  @Test("Lists of any length are looked up by key or index", arguments: [1, 2, 900])
  func plans(count: Int) throws {
    let directory = try TemporaryDirectory()
    let raw = RawDatabase(directory.file("x.sqlite"))
    for statement in schema.tables.flatMap(\.creationStatements) { raw.run(statement) }
    let lists = lists(count)
    for (node, way) in [
      (lists[0], "USING INTEGER PRIMARY KEY"), (lists[1], "USING INDEX ZPERSON_ZEMPLOYER_INDEX"),
      (lists[3], "USING INDEX Z_Person_UNIQUE_email"),
    ] {
      let text = try condition(node).text
      let plan = raw.rows("EXPLAIN QUERY PLAN SELECT * FROM ZPERSON WHERE \(text)").joined()
      #expect(plan.contains { $0.hasPrefix("SEARCH ZPERSON") && $0.contains(way) }, "\(plan)")
      #expect(!plan.contains { $0.hasPrefix("SCAN ZPERSON") })
    }
    let referring = try condition(lists[1]).text
    let sorted = raw.rows(
      "EXPLAIN QUERY PLAN SELECT * FROM ZPERSON WHERE \(referring) ORDER BY Z_PK LIMIT 5")
    #expect(sorted.joined().contains { $0.contains("TEMP B-TREE") } == (count > 1))
  }
}
