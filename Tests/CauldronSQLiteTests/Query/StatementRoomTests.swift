import CauldronModel
import CauldronQuery
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

/// Whatever is asked, no limit of SQLite is met.
@Suite(
  "Queries that a statement has no room for",
  .enabled(if: !Sanitizer.isThread, "one thread alone asks"))
struct StatementRoomTests {
  private let bench: StoreBench
  private let person: EntityLayout

  init() throws {
    bench = try StoreBench(try TestModels.people())
    person = bench.model.entity("Person")
    let factory = bench.factory
    try bench.insert(
      (1...20).map { (key: Int64) in
        let height = Double(key) / 2
        return factory.row("Person", key, ["age": .integer(key * 7 % 20), "height": .real(height)])
      })
  }

  private func narrow(_ room: StatementRoom) throws {
    var options = SQLiteStoreOptions()
    options.statementRoom = room
    try bench.reopen(options)
  }

  private func age(_ levels: Int) -> QueryExpression {
    (0..<levels).reduce(.property("age")) { inner, level in
      .conditional(
        .comparison(inner, .less, .value(.integer(-1)), []), .value(.integer(Int64(level))),
        .arithmetic(.add, inner, .value(.integer(1))))
    }
  }

  private func query(_ change: (inout StoreQuery) throws -> Void) throws -> [Int64] {
    var query = StoreQuery(entity: person)
    try change(&query)
    return try bench.fetch(query).map(\.key)
  }

  @Test("Deep orders, and orders by thousands of values, are made", arguments: [true, false])
  func orders(isNarrow: Bool) throws {
    if isNarrow { try narrow(StatementRoom(parameters: 100, depth: 50)) }
    let plain = try query { query in
      query.sort = [.init(property: person.property("age"), ascending: false)]
    }
    for levels in [1, 6, 12] {
      let found = try query { query in
        query.sort = [.init(try age(levels).bound(to: person), ascending: false)]
      }
      #expect(found == plain)
    }
    let deep = try (0..<499).reduce(QueryExpression.property("age")) { inner, _ in
      .arithmetic(.add, inner, .value(.integer(1)))
    }.bound(to: person)
    let many = try (0..<3_000).map { number in
      let value = QueryExpression.value(.integer(Int64(number)))
      return StoreQuery.SortKey(
        try QueryExpression.arithmetic(.multiply, .value(.integer(0)), value).bound(to: person),
        ascending: true)
    }
    for keys in [[StoreQuery.SortKey(deep, ascending: false)], many] {
      let last = StoreQuery.SortKey(property: person.property("age"), ascending: false)
      let found = try query { query in
        query.sort = keys + [last]
        query.limit = 5
        query.offset = 2
      }
      #expect(found == Array(plain.dropFirst(2).prefix(5)))
    }
  }

  @Test("Long lists and deep conditions are asked", arguments: [true, false])
  func conditions(isNarrow: Bool) throws {
    if isNarrow { try narrow(StatementRoom(parameters: 100, depth: 50)) }
    let heights = (0..<40_000).map { AttributeScalar.real(Double($0) + 0.5) }
    let wanted = PredicateNode.isIn(key: "height", heights)
    let deep = (0..<400).reduce(PredicateNode.constant(false)) { inner, level in
      level.isMultiple(of: 2)
        ? .or([.comparison(key: "age", .equal, .integer(3)), inner])
        : .and([.comparison(key: "age", .less, .integer(99)), inner])
    }
    let wide = PredicateNode.and(
      (0..<990).map { .text(key: "name", .contains, "x\($0)") }.map(PredicateNode.not)
        + [.or([.isIn(key: "email", [.text("a")]), .isNil(key: "email")])])
    #expect(try query { $0.predicate = try wanted.bound(to: person) }.count == 10)
    #expect(try query { $0.predicate = try deep.bound(to: person) }.count == 1)
    #expect(try query { $0.predicate = try wide.bound(to: person) }.count == 20)
    #expect(
      try query { $0.predicate = try PredicateNode.and([wide, wanted, deep]).bound(to: person) }
        .count <= 1)
  }

  @Test("Relationships one behind the other, more than the parser has places for, are followed")
  func relationships() throws {
    let way = (0..<9).flatMap { _ in ["employer", "employees"] }
    for count in 1...way.count {
      let path = PropertyPath(steps: Array(way.prefix(count)))
      let node = PredicateNode.quantified(.none, path, .constant(true))
      let found = try query { query in
        query.predicate = try node.bound(to: person)
        query.sort = [.init(property: person.property("age"), ascending: true)]
        query.limit = 30
      }
      #expect(found.count == 20)
    }
  }

  @Test("Calculations that name each value twice stay as long as they are")
  func remainders() throws {
    let deep = (0..<300).reduce(QueryExpression.property("age")) { inner, _ in
      .arithmetic(.remainder, inner, .value(.integer(100)))
    }
    let node = PredicateNode.comparison(deep, .less, .value(.integer(10)), [])
    #expect(try query { $0.predicate = try node.bound(to: person) }.count == 10)
    let some = (0..<14).reduce(QueryExpression.property("age")) { inner, _ in
      .arithmetic(.remainder, inner, .value(.integer(100)))
    }
    let few = PredicateNode.comparison(some, .less, .value(.integer(10)), [])
    #expect(try query { $0.predicate = try few.bound(to: person) }.count == 10)
  }

  @Test("Thousands of columns and long groups are read", arguments: [true, false])
  func values(isNarrow: Bool) throws {
    if isNarrow { try narrow(StatementRoom(parameters: 100, depth: 50)) }
    let reader = try bench.store.reader()
    defer { reader.finish() }
    var lines = ValueQuery(StoreQuery(entity: person))
    lines.columns = try (0..<2_500).map { number in
      try QueryExpression.arithmetic(
        .add, .property("age"), .value(.integer(Int64(number)))
      ).bound(to: person)
    }
    let found = try reader.values(lines)
    #expect(found.count == 20 && found.allSatisfy { $0.count == 2_500 })
    #expect(found.allSatisfy { $0[1] == .integer(number($0[0]) + 1) })
    var groups = ValueQuery(StoreQuery(entity: person))
    groups.groups = [try age(12).bound(to: person)]
    groups.columns = [try age(12).bound(to: person), .grouped(.count, nil)]
    #expect(try reader.values(groups).count == 20)
  }

  private func number(_ scalar: AttributeScalar) -> Int64 {
    if case .integer(let value) = scalar { value } else { -1 }
  }
}
