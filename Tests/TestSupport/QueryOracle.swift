package import CauldronModel
package import CauldronQuery
import Foundation

/// A row as plain values by name.
package struct OracleRow: Sendable {
  package let key: Int64
  package let entity: String
  package let values: [String: AttributeScalar]
  /// The keys that its many-to-many relationships lead to.
  package let links: [String: Set<Int64>]

  package init(
    key: Int64, entity: String, values: [String: AttributeScalar],
    links: [String: Set<Int64>] = [:]
  ) {
    self.key = key
    self.entity = entity
    self.values = values
    self.links = links
  }
}

/// Answers queries as slowly and plainly as it can, from the documentation of `PredicateNode` and
/// `QueryExpression`.
package struct QueryOracle {
  package let model: ManagedObjectModel
  /// All rows that relationships can lead to.
  package var world: [OracleRow]

  package init(_ model: ManagedObjectModel, world: [OracleRow] = []) {
    self.model = model
    self.world = world
  }

  /// Whether a predicate holds for a row.
  package func holds(_ node: PredicateNode, _ row: OracleRow) -> Bool {
    switch node {
    case .constant(let value): return value
    case .joined(let junction): return junction.isNegated != holds(junction, row)
    case .comparison(let a, let comparison, let b, let options):
      let (left, right) = pair(a, b, row)
      return compares(fold(left, options), comparison, fold(right, options))
    case .text(let a, let search, let b, let options):
      return finds(value(a, row), search, value(b, row), options)
    case .isIn(let a, let others, let options):
      return others.contains { other in
        let (left, right) = pair(a, .value(other), row)
        return compares(fold(left, options), .equal, fold(right, options))
      }
    case .isNil(let path): return reached(path.steps, row).isNull
    case .refersTo(let path, let ids):
      guard let last = path.steps.last else { return false }
      return objects(path.steps.dropLast(), row).contains { owner in
        guard isToMany(last, owner) else {
          return ids.contains { .integer($0.key) == owner.values[last] }
        }
        return targets(last, owner).contains { row in ids.contains { $0.key == row.key } }
      }
    case .isSelf(let ids): return ids.contains { $0.key == row.key }
    case .quantified(let quantifier, let path, let condition):
      let all = objects(path.steps, row)
      switch quantifier {
      case .any: return all.contains { holds(condition, $0) }
      case .all: return all.allSatisfy { holds(condition, $0) }
      case .none: return !all.contains { holds(condition, $0) }
      }
    }
  }

  private func holds(_ junction: PredicateJunction, _ row: OracleRow) -> Bool {
    switch junction.kind {
    case .all: junction.conditions.allSatisfy { holds($0, row) }
    case .any: junction.conditions.contains { holds($0, row) }
    }
  }

  /// The keys of the rows that a query selects, in its order.
  package func fetch(
    _ rows: [OracleRow], where node: PredicateNode, by sort: [(key: String, ascending: Bool)]
  ) -> [Int64] {
    fetch(rows, where: node, sortedBy: sort.map { (.property(PropertyPath($0.key)), $0.ascending) })
  }

  /// The same in the order of expressions.
  package func fetch(
    _ rows: [OracleRow], where node: PredicateNode,
    sortedBy sort: [(expression: QueryExpression, ascending: Bool)]
  ) -> [Int64] {
    let selected = rows.filter { holds(node, $0) }
    return selected.sorted { a, b in
      for step in sort {
        let order = order(value(step.expression, a), value(step.expression, b))
        if order != 0 { return step.ascending ? order < 0 : order > 0 }
      }
      return a.key < b.key
    }.map(\.key)
  }

  /// Two values, of which one may be a decimal that is spelt out.
  private func pair(
    _ a: QueryExpression, _ b: QueryExpression, _ row: OracleRow
  ) -> (AttributeScalar, AttributeScalar) {
    let hasDecimal = [a, b].contains { isDecimal($0, row.entity) }
    func spelt(_ value: AttributeScalar) -> AttributeScalar {
      guard hasDecimal, case .text(let text) = value else { return value }
      return Decimal(string: text).map { .real(NSDecimalNumber(decimal: $0).doubleValue) } ?? .null
    }
    return (spelt(value(a, row)), spelt(value(b, row)))
  }

  private func compares(
    _ a: AttributeScalar, _ comparison: PredicateNode.ComparisonOperator, _ b: AttributeScalar
  ) -> Bool {
    if a.isNull || b.isNull {
      switch comparison {
      case .equal: return a.isNull && b.isNull
      case .notEqual: return a.isNull != b.isNull
      case .less, .lessOrEqual, .greater, .greaterOrEqual: return false
      }
    }
    let order = order(a, b)
    return switch comparison {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  /// -1, 0 or 1; nil comes first.
  func order(_ a: AttributeScalar, _ b: AttributeScalar) -> Int {
    switch (a, b) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.integer(let a), .integer(let b)): a < b ? -1 : (a > b ? 1 : 0)
    case (.real(let a), .real(let b)): a < b ? -1 : (a > b ? 1 : 0)
    case (.integer(let a), .real(let b)): order(a, b)
    case (.real(let a), .integer(let b)): -order(b, a)
    case (.text(let a), .text(let b)): order(Array(a.utf8), Array(b.utf8))
    case (.blob(let a), .blob(let b)): order(Array(a), Array(b))
    default: preconditionFailure("\(a) is never compared with \(b)")
    }
  }

  private func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a == b ? 0 : (a.lexicographicallyPrecedes(b) ? -1 : 1)
  }

  /// Exact, by way of integers with twice the digits.
  private func order(_ a: Int64, _ b: Double) -> Int {
    if b.isInfinite || abs(b) > 0x1p100 { return b > 0 ? -1 : 1 }
    if Int128(a) < Int128(b.rounded(.up)) { return -1 }
    return Int128(a) > Int128(b.rounded(.down)) ? 1 : 0
  }
}
