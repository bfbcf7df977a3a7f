import CauldronModel
import CauldronQuery
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite("Fetching from a SQLite store")
struct FetchTests {
  private static let types: [(String, AttributeType)] = [
    ("number", .integer64), ("real", .double), ("text", .string), ("token", .uuid),
    ("price", .decimal),
  ]

  private static func token(_ number: Int) -> Data {
    Data((0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) })
  }

  private static func bench(_ count: Int) throws -> StoreBench {
    let bench = try StoreBench(types)
    try bench.insert(
      (1...count).map { number in
        bench.factory.row(
          "Thing", Int64(number),
          [
            "number": .integer(Int64(number)), "real": .real(Double(number) / 8),
            "text": .text("t\(number)\0\"\\"), "token": .blob(token(number)),
            "price": .text("\(number).5"),
          ])
      })
    return bench
  }

  @Test(
    "Membership in few and in many values selects the same",
    arguments: [1, 2, 3, 499, 501, 16_384, 40_000])
  func membership(count: Int) throws {
    let bench = try Self.bench(1_000)
    let numbers = (0..<count).map { 10 + $0 }
    let expected = Array(Int64(10)...Int64(min(9 + count, 1_000)))
    let lists: [(String, [AttributeScalar])] = [
      ("number", numbers.map { .integer(Int64($0)) }),
      ("text", numbers.map { .text("t\($0)\0\"\\") }),
      ("token", numbers.map { .blob(Self.token($0)) }),
      ("price", numbers.map { .text("\($0).50") }),
      ("real", numbers.map { .real(Double($0) / 8) }),
    ]
    for (key, values) in lists {
      #expect(try bench.fetch("Thing", where: .isIn(key: key, values)).map(\.key) == expected)
      let others = try bench.fetch("Thing", where: .not(.isIn(key: key, values)))
      #expect(others.count == 1_000 - expected.count)
    }
    let ids = numbers.map { ManagedObjectID(key: Int64($0), entityNumber: 1, storeNumber: 1) }
    #expect(try bench.fetch("Thing", where: .isSelf(ids)).map(\.key) == expected)
  }

  @Test("Membership tells empty values from missing ones, and short ones from their beginnings")
  func emptyMembers() throws {
    let bench = try StoreBench([("text", .string), ("data", .binary)])
    let texts: [String?] = ["", "a", "ab", nil, "b", "\0", "a\0"]
    try bench.insert(
      texts.enumerated().map { number, text in
        bench.factory.row(
          "Thing", Int64(number) + 1,
          text.map { ["text": .text($0), "data": .blob(Data($0.utf8))] } ?? [:])
      })
    for list in [[0], [0, 1], [0, 4, 5], [1, 2], [1, 6], [0, 1, 2, 4, 5, 6]] as [[Int]] {
      let some = list.compactMap { texts[$0] }
      let nodes: [PredicateNode] = [
        .isIn(key: "text", some.map { .text($0) }),
        .isIn(key: "data", some.map { .blob(Data($0.utf8)) }),
      ]
      for node in nodes {
        #expect(try bench.fetch("Thing", where: node).map { Int($0.key) - 1 } == list)
      }
    }
  }

  @Test("Long chains of conditions are no deeper than SQLite allows")
  func longChains() throws {
    let bench = try Self.bench(10)
    let nodes = (1...3_000).map { PredicateNode.comparison(key: "number", .equal, .integer($0)) }
    #expect(try bench.fetch("Thing", where: .or(nodes)).count == 10)
    #expect(try bench.fetch("Thing", where: .and(nodes)).isEmpty)
    #expect(try bench.fetch("Thing", where: .and([])).count == 10)
    #expect(try bench.fetch("Thing", where: .or([])).isEmpty)
  }

  @Test("Searches take zero bytes, wildcards and quotes as they are")
  func searches() throws {
    let bench = try StoreBench([("text", .string)])
    let texts = ["a%b", "a\0b", "a_b", "A%b", "", "\u{10FFFF}x", "ab"]
    try bench.insert(
      texts.enumerated().map { bench.factory.row("Thing", Int64($0) + 1, ["text": .text($1)]) })
    let cases: [(PredicateNode.TextOperator, String, [Int64])] = [
      (.beginsWith, "a%", [0]), (.beginsWith, "a\0", [1]), (.beginsWith, "a", [0, 1, 2, 6]),
      (.beginsWith, "\u{10FFFF}", [5]), (.beginsWith, "", [0, 1, 2, 3, 4, 5, 6]),
      (.contains, "%", [0, 3]), (.contains, "\0", [1]), (.contains, "", [0, 1, 2, 3, 4, 5, 6]),
      (.endsWith, "_b", [2]), (.endsWith, "\0b", [1]), (.endsWith, "x", [5]),
      (.endsWith, "aab", []), (.endsWith, "", [0, 1, 2, 3, 4, 5, 6]),
    ]
    for (search, text, keys) in cases {
      let found = try bench.fetch("Thing", where: .text(key: "text", search, text))
      #expect(found.map { $0.key - 1 } == keys, "\(search) \(text.debugDescription)")
    }
  }

  @Test("A sorted page of many rows is the page of the sorted rows")
  func pages() throws {
    let bench = try Self.bench(500)
    let thing = bench.model.entity("Thing")
    var query = StoreQuery(entity: thing)
    query.sort = [.init(property: thing.property("text"), ascending: false)]
    let all = try bench.fetch(query).map(\.key)
    let names = (1...500).map { (key: Int64($0), text: "t\($0)\0") }
    #expect(all == names.sorted { $0.text > $1.text }.map(\.key))
    for offset in [0, 7, 490, 600] {
      query.offset = offset
      query.limit = 20
      #expect(try bench.fetch(query).map(\.key) == Array(all.dropFirst(offset).prefix(20)))
    }
  }

  @Test("Rows of a fetch keep their memory when the reader goes on reading")
  func memory() throws {
    let bench = try Self.bench(2_000)
    let reader = try bench.store.reader()
    let thing = bench.model.entity("Thing")
    let first = try reader.fetch(StoreQuery(entity: thing))
    let points = try (1...2_000).map { try reader.rows([Int64($0)], of: thing) }
    reader.finish()
    try bench.store.close()
    first.withRows { rows in
      for (row, point) in zip(rows, points) {
        point.walk { #expect(row.difference(from: $0, thing).isEmpty) }
      }
    }
    #expect(points.allSatisfy { $0.count == 1 })
  }

  @Test("Many readers and a writer at once see whole saves")
  func concurrency() async throws {
    let bench = try StoreBench([("number", .integer64)], SQLiteStoreOptions(readerLimit: 2))
    let store = bench.store
    let thing = bench.model.entity("Thing")
    let sets = (0..<40).map { batch in
      bench.changes(
        inserted: (0..<25).map {
          bench.factory.row("Thing", Int64(batch * 25 + $0 + 1), ["number": .integer(1)])
        })
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for set in sets { _ = try store.save(SavePlan([set], storeNumber: 1), willCommit: {}) }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let reader = try store.reader()
            defer { reader.finish() }
            try reader.pin()
            let list = try reader.fetch(StoreQuery(entity: thing))
            #expect(list.count % 25 == 0)
            #expect(try reader.count(StoreQuery(entity: thing)) == list.count)
            #expect(try reader.rows(list.map(\.key), of: thing).count == list.count)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try bench.fetch("Thing").count == 1_000)
  }
}
