import CauldronModel
import CauldronQuery
import CauldronSQLite
import Foundation
import TestSupport
import Testing

/// Queries of one shape share a statement, and are answered each by its own values.
@Suite("Shapes of queries") struct QueryShapeTests {
  private let bench: StoreBench
  private let person: EntityLayout

  init() throws {
    bench = try StoreBench(try TestModels.people())
    person = bench.model.entity("Person")
    let factory = bench.factory
    try bench.insert(
      (1...9).map { (key: Int64) in
        let height: AttributeScalar = key == 9 ? .null : .real(Double(key) / 2)
        return factory.row(
          "Person", key, ["name": .text("p\(key)"), "age": .integer(key), "height": height])
      })
  }

  private func keys(_ change: (inout StoreQuery) throws -> Void) throws -> [Int64] {
    var query = StoreQuery(entity: person)
    try change(&query)
    return try bench.fetch(query).map(\.key)
  }

  private func keys(_ node: PredicateNode) throws -> [Int64] {
    try keys { $0.predicate = try node.bound(to: person) }
  }

  @Test("Each comparison is asked with its own value")
  func comparisons() throws {
    let expected: [(PredicateNode.ComparisonOperator, (Int64) -> [Int64])] = [
      (.equal, { [$0] }), (.notEqual, { value in (1...9).filter { $0 != value } }),
      (.less, { Array(1..<$0) }), (.lessOrEqual, { Array(1...$0) }),
      (.greater, { Array(($0 + 1)...9) }), (.greaterOrEqual, { Array($0...9) }),
    ]
    for _ in 0..<2 {
      for (comparison, result) in expected {
        for value in [Int64(2), 5, 8] {
          #expect(try keys(.comparison(key: "age", comparison, .integer(value))) == result(value))
          let real = AttributeScalar.real(Double(value))
          #expect(try keys(.comparison(key: "age", comparison, real)) == result(value))
          let text = AttributeScalar.text("p\(value)")
          #expect(try keys(.comparison(key: "name", comparison, text)) == result(value))
        }
      }
    }
  }

  @Test("What shares an operator or a value is told apart")
  func differences() throws {
    for age in [Int64(3), 6] {
      #expect(try keys(.comparison(key: "age", .equal, .integer(age))) == [age])
      let half = try keys(.comparison(key: "height", .equal, .real(Double(age) / 2)))
      #expect(half == [age])
      let both = PredicateNode.and([
        .comparison(key: "age", .greaterOrEqual, .integer(age)),
        .comparison(key: "age", .less, .integer(age + 2)),
      ])
      #expect(try keys(both) == [age, age + 1])
      for ascending in [true, false] {
        for limit in [nil, 1, 2] {
          let found = try keys { query in
            query.predicate = try both.bound(to: person)
            query.sort = [.init(property: person.property("age"), ascending: ascending)]
            query.limit = limit
          }
          let all = ascending ? [age, age + 1] : [age + 1, age]
          #expect(found == Array(all.prefix(limit ?? 2)))
        }
      }
      let paged = try keys { query in
        query.sort = [.init(property: person.property("name"), ascending: true)]
        query.limit = Int(age)
        query.offset = 2
      }
      #expect(paged == Array(3...(age + 2)))
    }
    #expect(try keys(.comparison(key: "height", .notEqual, .real(.nan))) == Array(1...8))
    #expect(try keys(.comparison(key: "height", .notEqual, .real(1))) == [1] + Array(3...9))
  }
}
