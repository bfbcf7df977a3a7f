import CauldronQuery
import Foundation
import TestSupport
import Testing

@testable import CauldronModel
@testable import CauldronStore

@Suite("Columns of inserted rows")
struct ColumnTests {
  private let model: ManagedObjectModel
  private let manager: EntityLayout
  private let factory: RowFactory

  init() throws {
    model = try TestModels.people()
    manager = model.entity("Manager")
    factory = RowFactory(model)
  }

  @Test("However often a set is searched, it finds what the oracle finds", arguments: 0..<8)
  func differential(seed: UInt64) throws {
    var people = RandomPeople(seed: seed)
    let rows = (1...1_100).map { key in
      OracleRow(key: key, entity: "Manager", values: people.row(key).values)
    }
    let changes = inserted(rows.map { factory.row($0.entity, $0.key, $0.values).row })
    var columned: Set<Int> = []
    try withEvery("predicate", in: 0..<90) { round in
      // Single conditions at the end, so that columns come and go whatever the seed.
      let depth = round < 60 ? 1 : 0
      let node = PredicateNode.and(
        (0...people.generator.pick([0, 0, 1, 2])).map { _ in
          people.predicate(depth: depth)
        })
      let expected = QueryOracle(model).fetch(rows, where: node, by: [])
      let limit = people.generator.pick([Int.max, .max, 0, 1, 7])
      for _ in 0..<4 {
        let found = try select(node, in: changes, limit: limit).map(\.key)
        let isSame = found == Array(expected.prefix(limit))
        #expect(isSame, "\(node) \(Trace.comment)")
      }
      columned.formUnion(changes.searches.withLock { $0.columns.indices })
    }
    let names = Set(columned.map { manager.properties[$0].name })
    #expect(names.count >= 4, "\(names)")
    #expect(!names.contains("balance"), "decimals have no number")
  }

  @Test("Every comparison of integers and reals agrees with the row's, to the last one")
  func bounds() throws {
    let wholes: [Int64] = [
      .min, .min + 1, -1, 0, 1, 0x20_0000_0000_0000, 0x20_0000_0000_0001, .max - 1, .max,
    ]
    let edge: Double = 0x1p63
    let least = Double.leastNonzeroMagnitude
    let reals: [Double] = [
      -.infinity, -0x1p64, -edge, -edge.nextDown, -1.5, -1, -least, -0.0, 0, least, 0.5, 1,
      0x1p53, edge.nextDown, edge, 0x1p64, .infinity, .nan,
    ]
    let rows = (wholes.map { Double($0) } + reals).enumerated().map { key, real in
      let age = AttributeScalar.integer(wholes[key % wholes.count])
      return factory.row("Manager", Int64(key + 1), ["age": age, "height": .real(real)]).row
    }
    // With the least integer, which looks like nil in a column, and without it.
    let others = wholes.map { AttributeScalar.integer($0) } + reals.map { .real($0) }
    for rows in [rows, rows.filter { $0.slot(manager.property("age").index) != .min }] {
      for other in others {
        for comparison in Self.comparisons {
          for key in ["age", "height"] {
            try compare(.comparison(key: key, comparison, other), rows)
          }
        }
      }
    }
  }

  private static let comparisons: [PredicateNode.ComparisonOperator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  private func compare(_ node: PredicateNode, _ rows: [RowPointer]) throws {
    let bound = try node.bound(to: manager)
    guard let test = ColumnTest(bound) else {
      if case .comparison(_, let comparison, _) = bound { #expect(comparison == .notEqual) }
      return
    }
    var found: [RowPointer] = []
    let scan = ColumnScan([(test, ValueColumn(test.value, rows))], RowTest(bound), isWhole: true)
    _ = scan?.select(rows, limit: .max, to: &found)
    #expect(found == rows.filter { bound.matches($0) }, "\(node)")
  }

  @Test("A column is made once as many rows were looked at as there are, and not before")
  func making() throws {
    let changes = inserted(people(2_000))
    let age = PredicateNode.comparison(key: "age", .equal, .integer(3))
    #expect(try select(age, in: changes, limit: 1).count == 1)
    #expect(try select(age, in: changes).count == 20)
    #expect(columned(changes) == [])
    #expect(try select(age, in: changes).count == 20)
    #expect(columned(changes) == ["age"])
    // What lets the fewest rows pass has its column first; these had to be looked at.
    let both = PredicateNode.and([
      .comparison(key: "height", .greater, .real(100)),
      .comparison(key: "age", .less, .integer(50)),
    ])
    for _ in 0..<2 { #expect(try select(both, in: changes).count == 949) }
    #expect(columned(changes) == ["age"])
    for _ in 0..<2 { #expect(try select(both, in: changes).count == 949) }
    #expect(Set(columned(changes)) == ["age", "height"])
  }

  @Test("Small sets are scanned as they are")
  func small() throws {
    let changes = inserted(people(1_000))
    let age = PredicateNode.comparison(key: "age", .equal, .integer(3))
    for _ in 0..<5 { #expect(try select(age, in: changes).count == 10) }
    #expect(columned(changes) == [])
  }

  @Test("Only rows that pass the columns are looked at, and none where these tell all")
  func visits() throws {
    let rows = people(2_000)
    let named = PredicateNode.comparison(key: "name", .equal, .text("n7"))
    #expect(try visits(named, rows) == 20)
    #expect(try visits(.comparison(key: "age", .equal, .integer(7)), rows) == 0)
    #expect(try visits(.isNil(key: "height"), rows) == 0)
    let least = factory.row("Manager", 5_000, ["age": .integer(.min)]).row
    let other = factory.row("Manager", 5_001).row
    #expect(try visits(.comparison(key: "age", .less, .integer(1)), rows + [least, other]) == 22)
  }

  @Test("Long texts that differ in the middle alone are told apart by the rows")
  func longTexts() throws {
    let end = String(repeating: "x", count: 100)
    let rows = (0..<1_100).map { number in
      factory.row("Manager", Int64(number + 1), ["name": .text("\(end)\(number % 10)\(end)")]).row
    }
    let changes = inserted(rows)
    let node = PredicateNode.comparison(key: "name", .equal, .text("\(end)4\(end)"))
    for _ in 0..<4 { #expect(try select(node, in: changes).count == 110) }
    #expect(columned(changes) == ["name"])
  }

  @Test("A set keeps four columns, fewer if it is huge, and those that were used last")
  func memory() throws {
    let column = ValueColumn(try #require(ColumnValue(manager.property("age"))), [])
    var cache = ColumnCache(count: 10_000)
    for index in 0..<4 { cache.keep(column, of: index) }
    #expect(cache.column(0) != nil)
    #expect(!cache.hasRoom(beside: 4) && cache.hasRoom(beside: 3))
    cache.keep(column, of: 7)
    #expect(cache.indices == [2, 3, 0, 7])
    var huge = ColumnCache(count: 1_000_000)
    for index in 0..<4 { huge.keep(column, of: index) }
    #expect(huge.indices == [2, 3])
    var larger = ColumnCache(count: 100_000_000)
    for index in 0..<4 { larger.keep(column, of: index) }
    #expect(larger.indices == [3])
  }

  /// Rows with ages and names from 0 to 99 and heights from 0 on, the first without one.
  private func people(_ count: Int) -> [RowPointer] {
    (0..<count).map { number in
      var values: [String: AttributeScalar] = [
        "age": .integer(Int64(number % 100)), "name": .text("n\(number % 100)"),
      ]
      if number > 0 { values["height"] = .real(Double(number)) }
      return factory.row("Manager", Int64(number + 1), values).row
    }
  }

  private func inserted(_ rows: [RowPointer]) -> EntityChanges {
    EntityChanges(entity: manager, inserted: rows, updated: [], deleted: [])
  }

  private func select(
    _ node: PredicateNode, in changes: EntityChanges, limit: Int = .max
  ) throws -> [RowPointer] {
    var query = StoreQuery(entity: model.entity("Person"))
    query.predicate = try node.bound(to: query.entity)
    var found: [RowPointer] = []
    QueryMatcher(query).select(insertedBy: changes, limit: limit, to: &found)
    return found
  }

  private func visits(_ node: PredicateNode, _ rows: [RowPointer]) throws -> Int? {
    let bound = try node.bound(to: manager)
    let test = try #require(ColumnTest(bound))
    var found: [RowPointer] = []
    let column = ValueColumn(test.value, rows)
    let scan = ColumnScan([(test, column)], RowTest(bound), isWhole: true)
    return scan?.select(rows, limit: .max, to: &found)
  }

  private func columned(_ changes: EntityChanges) -> [String] {
    changes.searches.withLock { $0.columns.indices }.map { manager.properties[$0].name }
  }
}
