import CauldronModel
import CauldronQuery
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite(
  "Predicates beyond what a statement takes",
  .enabled(if: !Sanitizer.isThread, "one thread alone asks"))
struct LongPredicateTests {
  private let bench: StoreBench
  private let rows: [OracleRow]
  private let oracle: QueryOracle

  init() throws {
    bench = try StoreBench(try TestModels.people())
    oracle = QueryOracle(bench.model)
    var people = RandomPeople(seed: 21)
    rows = (1...60).map { people.row($0) }
    let factory = bench.factory
    try bench.insert((1...5).map { factory.row("Company", $0) })
    try bench.insert(rows.map { factory.row($0.entity, $0.key, $0.values) })
  }

  private func keys(_ node: PredicateNode) throws -> [Int64] {
    try bench.fetch("Person", where: node).map(\.key)
  }

  private func expected(_ node: PredicateNode) -> [Int64] {
    oracle.fetch(rows, where: node, by: [])
  }

  @Test(
    "Wide conditions select what the oracle selects", arguments: [30, 70, 900, 1_100, 5_000])
  func wide(width: Int) throws {
    var random = RandomPeople(seed: 45)
    for round in 0..<6 {
      // Few rows pass so many conditions, so that some are in the other sense.
      let leaves = (0..<width).map { _ in random.predicate(depth: 0) }
      let some = rows[round * 3].key
      let id = ManagedObjectID(
        key: some, entityNumber: bench.model.entity("Person").number, storeNumber: 1)
      let held = leaves.filter { oracle.holds($0, rows[round * 3]) }
      let missed = leaves.filter { !oracle.holds($0, rows[round * 3]) }
      for node in [
        .and(held), .or(missed), .not(.and(missed.map(PredicateNode.not))),
        .or([.isSelf([id]), .and([.or(missed), .and(held)])]),
      ] as [PredicateNode] {
        #expect(try keys(node) == expected(node))
      }
    }
  }

  @Test("Deep conditions select what the oracle selects", arguments: [5, 15, 40, 100])
  func deep(depth: Int) throws {
    var random = RandomPeople(seed: 46)
    for _ in 0..<10 {
      var node = random.predicate(depth: 1)
      for level in 1..<depth {
        let beside = (0..<3).map { _ in random.predicate(depth: 0) }
        node = level.isMultiple(of: 2) ? .and([.or(beside), node]) : .or([.and(beside), node])
      }
      let error = failureIfAny {
        let found = try keys(node)
        #expect(found == expected(node))
      }
      #expect(error == nil || (depth == 100 && error?.code == .queryUnsupported))
    }
  }

  @Test("Lists on every branch of a deep condition select what the oracle selects")
  func deepLists() throws {
    func list(_ number: Int) -> PredicateNode {
      let texts = ["a", "b", "ab", "", "bc", "\(number)"].map(AttributeScalar.text)
      return .isIn(key: number.isMultiple(of: 2) ? "name" : "email", texts)
    }
    func join(_ level: Int, _ nodes: [PredicateNode]) -> PredicateNode {
      level.isMultiple(of: 2) ? .and(nodes) : .or(nodes)
    }
    // All but the last branch are combs; so SQLite's parser has as much to remember as it can have.
    for depth in 15...22 {
      var comb = list(0)
      var node = list(1)
      for level in 1...depth {
        node = join(level, [comb, node])
        comb = join(level, [comb, list(level)])
      }
      #expect(try keys(node) == expected(node))
      #expect(try keys(.not(node)) == expected(.not(node)))
    }
  }

  @Test("The window of a long condition is that of all its rows")
  func window() throws {
    let texts = (0..<3_000).map { PredicateNode.text(key: "name", .contains, "x\($0)") }
    let node = PredicateNode.or(texts + [.text(key: "name", .contains, "a")])
    let person = bench.model.entity("Person")
    var query = StoreQuery(entity: person)
    query.predicate = try node.bound(to: person)
    query.sort = [.init(property: person.property("age"), ascending: false)]
    let all = oracle.fetch(rows, where: node, by: [("age", false)])
    #expect(all.count > 8)
    let reader = try bench.store.reader()
    defer { reader.finish() }
    #expect(try reader.count(query) == all.count)
    for (offset, limit) in [(0, 3), (2, 4), (all.count - 1, 5), (all.count + 1, 5), (1, 0)] {
      query.offset = offset
      query.limit = limit
      let page = Array(all.dropFirst(offset).prefix(limit))
      #expect(try bench.fetch(query).map(\.key) == page)
      #expect(try reader.ids(query, storeNumber: 1).map(\.key) == page)
      #expect(try reader.count(query) == page.count)
    }
  }

  @Test(
    "100,000 different conditions take no more than they are", .timeLimit(.minutes(20)),
    .enabled(if: !Sanitizer.isOn, "a sanitizer says nothing about time"))
  func many() throws {
    let others = (0..<100_000).map { PredicateNode.text(key: "name", .beginsWith, "x\($0)") }
    let some = PredicateNode.text(key: "name", .beginsWith, "a")
    let start = ContinuousClock.now
    #expect(try keys(.or(others + [some])) == expected(some))
    #expect(try keys(.and(others.map(PredicateNode.not) + [some])) == expected(some))
    let numbers = (0..<100_000).map {
      PredicateNode.comparison(key: "age", .notEqual, .integer(Int64($0 + 10)))
    }
    #expect(try keys(.and(numbers)).count == 60)
    #expect(.now - start < .seconds(600))
  }
}

private func failureIfAny(_ body: () throws -> Void) -> CauldronError? {
  do {
    try body()
    return nil
  } catch {
    return error as? CauldronError
  }
}
