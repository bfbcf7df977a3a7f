import CauldronModel
package import CauldronQuery
import Foundation

/// Random rows and predicates for the people model, from few values, so that many are equal.
package struct RandomPeople {
  package var generator: SeededGenerator
  private static let entities = ["Person", "Employee", "Manager"]
  private static let keys: [Int64] = Array(1...30)

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The values that a property is given and compared with.
  private static let pools: [(key: String, values: [AttributeScalar])] = [
    ("name", ["", "a", "A", "ab", "abc", "b", "ä", "a\u{308}", "bä", "🙂"].map { .text($0) }),
    ("age", [-1, 0, 1, 5, .max, .min, 1 << 53 + 1].map { .integer($0) }),
    ("height", [-1.5, 0, -0.0, 0.5, 5, 0x1p53, .infinity, -.infinity, .nan].map { .real($0) }),
    ("balance", ["0", "1.5", "1.50", "-3", "100", "0.1", "1e3"].map { .text($0) }),
    ("isActive", [.integer(0), .integer(1)]),
    ("birthday", [-1, 0, 86_400.5].map { .real($0) }),
    ("photo", [[], [0], [0, 1], [255]].map { .blob(Data($0)) }),
    ("token", [1, 2].map { .blob(Data(repeating: $0, count: 16)) }),
  ]

  /// A row with a key; a third of its values are nil.
  package mutating func row(_ key: Int64) -> OracleRow {
    var values: [String: AttributeScalar] = [:]
    for pool in Self.pools where !generator.once(in: 3) {
      values[pool.key] = generator.pick(pool.values)
    }
    if generator.once(in: 2) { values["employer"] = .integer(generator.pick([1, 2, 3, 4, 5])) }
    return OracleRow(key: key, entity: generator.pick(Self.entities), values: values)
  }

  /// A predicate of some depth.
  package mutating func predicate(depth: Int = 3) -> PredicateNode {
    if depth > 0, generator.once(in: 2) {
      let children = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        predicate(depth: depth - 1)
      }
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: return .and(children)
      case 1: return .or(children)
      default: return .not(predicate(depth: depth - 1))
      }
    }
    return leaf()
  }

  /// A sort by up to three attributes.
  package mutating func sort() -> [(key: String, ascending: Bool)] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      (generator.pick(Self.pools).key, generator.once(in: 2))
    }
  }

  private mutating func leaf() -> PredicateNode {
    let pool = generator.pick(Self.pools)
    switch Int.random(in: 0..<9, using: &generator) {
    case 8: return .isNil(key: generator.once(in: 3) ? "employer" : pool.key)
    case 0: return .constant(generator.once(in: 2))
    case 1: return .isSelf(ids("Person", Self.keys))
    case 2: return .refersTo(key: "employer", ids("Company", [1, 2, 3, 4, 5]))
    case 3: return .isIn(key: pool.key, (0..<3).map { _ in operand(pool) })
    case 4: return .text(key: "name", generator.pick([.beginsWith, .contains, .endsWith]), text())
    default:
      return .comparison(key: pool.key, generator.pick(Self.operators), operand(pool))
    }
  }

  private static let operators: [PredicateNode.ComparisonOperator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  private mutating func operand(
    _ pool: (key: String, values: [AttributeScalar])
  ) -> AttributeScalar {
    if generator.once(in: 8) { return .null }
    switch generator.pick(pool.values) {
    case .integer(let value) where generator.once(in: 3):
      return .real(Double(value) + generator.pick([0, 0.5, -0.5]))
    case .real(let value) where generator.once(in: 3) && abs(value) < 1e15:
      return .integer(Int64(value))
    case let value:
      return value
    }
  }

  private mutating func text() -> String {
    generator.pick(["", "a", "b", "ab", "bc", "ä", "\u{308}", "abc"])
  }

  /// The people model numbers Company 1, Passport 2, Person 3 and on.
  private mutating func ids(_ entity: String, _ keys: [Int64]) -> [ManagedObjectID] {
    (0..<3).map { _ in
      ManagedObjectID(
        key: generator.pick(keys), entityNumber: entity == "Company" ? 1 : 3, storeNumber: 1)
    }
  }
}
