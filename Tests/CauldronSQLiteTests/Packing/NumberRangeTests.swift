import CauldronModel
import CauldronQuery
import CauldronSQLite
import Foundation
import TestSupport
import Testing

@Suite("Integers that are greater than their attribute's type")
struct NumberRangeTests {
  private static let attributes: [(String, AttributeType)] = [
    ("small", .integer16), ("middle", .integer32), ("large", .integer64), ("flag", .boolean),
  ]

  @Test(
    "A cell beyond the range is an error that names it, and no other number",
    arguments: [
      ("ZSMALL = 70000", "small", "16-bit integer"), ("ZSMALL = -32769", "small", "16-bit integer"),
      ("ZSMALL = 70000.0", "small", "16-bit integer"),
      ("ZMIDDLE = 2147483648", "middle", "32-bit integer"),
      ("ZMIDDLE = -9223372036854775808", "middle", "32-bit integer"),
    ])
  func beyond(assignment: String, property: String, expected: String) throws {
    let bench = try StoreBench(Self.attributes)
    try bench.insert((1...3).map { bench.factory.row("Thing", $0) })
    #expect(RawDatabase(bench.url).run("UPDATE ZTHING SET \(assignment) WHERE Z_PK = 2") == 0)
    for call in [{ _ = try bench.fetch("Thing") }, { _ = try bench.row("Thing", 2) }] {
      let error = try failure(call)
      #expect(error.code == .storeBadValue)
      #expect(error.property == property)
      #expect(error.message.hasSuffix("expected \(expected), found a number beyond those."))
      #expect(error.objectIDs.map(\.key) == [2])
    }
    #expect(try bench.row("Thing", 3).row.key == 3)
    let cut = PredicateNode.comparison(key: property, .equal, .integer(4464))
    #expect(try bench.fetch("Thing", where: cut).isEmpty)
  }

  @Test("The ends of each range are read as they are")
  func ends() throws {
    let bench = try StoreBench(Self.attributes)
    let rows: [[String: AttributeScalar]] = [
      [
        "small": .integer(-32_768), "middle": .integer(-2_147_483_648), "large": .integer(.min),
        "flag": .integer(0),
      ],
      [
        "small": .integer(32_767), "middle": .integer(2_147_483_647), "large": .integer(.max),
        "flag": .integer(1),
      ],
    ]
    for (key, values) in zip(Int64(1)..., rows) { try bench.insert("Thing", key, values) }
    for (key, values) in zip(Int64(1)..., rows) {
      #expect(try bench.values("Thing", key) == values)
    }
  }

  @Test(
    "An integer that no Double is, where a Double belongs, is refused and found by a verification",
    arguments: [("born", AttributeType.date), ("weight", .double)])
  func integersAmongDoubles(property: String, type: AttributeType) throws {
    let bench = try StoreBench([(property, type)])
    try bench.insert((1...4).map { bench.factory.row("Thing", $0) })
    let raw = RawDatabase(bench.url)
    let cells = [(1, "9007199254740993"), (2, "9223372036854775807"), (3, "9007199254740994")]
    for (key, cell) in cells {
      let statement = "UPDATE ZTHING SET Z\(property.uppercased()) = \(cell) WHERE Z_PK = \(key)"
      #expect(raw.run(statement) == 0)
    }
    // Where the column makes a real of it, there is nothing to refuse.
    let isKept = type == .date
    for key in [1, 2] as [Int64] where isKept {
      let error = try failure { _ = try bench.row("Thing", key) }
      #expect(error.code == .storeBadValue)
      #expect(error.message.hasSuffix("found an integer that no Double is."))
    }
    #expect(try bench.values("Thing", 3)[property] == .real(9_007_199_254_740_994))
    let findings = try bench.store.verify()
    #expect(findings.filter { "\($0)".contains(property) }.count == (isKept ? 1 : 0))
  }

  @Test("A truth value is 0 or 1, whatever number the file has; predicates and orders see the same")
  func truth() throws {
    let bench = try StoreBench(Self.attributes)
    try bench.insert((1...5).map { bench.factory.row("Thing", $0) })
    let raw = RawDatabase(bench.url)
    for (key, cell) in [(1, "2"), (2, "0"), (3, "-1"), (4, "1"), (5, "NULL")] {
      #expect(raw.run("UPDATE ZTHING SET ZFLAG = \(cell) WHERE Z_PK = \(key)") == 0)
    }
    let thing = bench.model.entity("Thing")
    let all = try bench.fetch("Thing")
    #expect(all.map { thing.value("flag", in: $0) } == [1, 0, 1, 1].map { .integer($0) } + [.null])
    let nodes: [PredicateNode] =
      [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual].flatMap { comparison in
        [0, 1, 2].map { .comparison(key: "flag", comparison, .integer($0)) }
      } + [
        .isIn(key: "flag", [.integer(1)]), .isIn(key: "flag", [.integer(0), .integer(2)]),
        .not(.comparison(key: "flag", .equal, .integer(1))), .isNil(key: "flag"),
      ]
    for node in nodes {
      let test = RowTest(try node.bound(to: thing))
      let expected = all.filter { test.matches($0) }.map(\.key)
      #expect(try bench.fetch("Thing", where: node).map(\.key) == expected, "\(node)")
    }
    var query = StoreQuery(entity: thing)
    query.sort = [.init(property: thing.property("flag"), ascending: false)]
    #expect(try bench.fetch(query).map(\.key) == [1, 3, 4, 2, 5])
  }

  @Test(
    "An infinity among decimals is refused and found by a verification",
    arguments: ["'9e999'", "-9e999"])
  func infinities(cell: String) throws {
    let bench = try StoreBench([("price", .decimal)])
    try bench.insert((1...2).map { bench.factory.row("Thing", $0) })
    #expect(RawDatabase(bench.url).run("UPDATE ZTHING SET ZPRICE = \(cell) WHERE Z_PK = 2") == 0)
    #expect(try failure { _ = try bench.row("Thing", 2) }.code == .storeBadValue)
    #expect(try bench.store.verify().map { "\($0)" }.count { $0.contains("price") } == 1)
  }
}
