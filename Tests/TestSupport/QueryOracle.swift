package import CauldronModel
import Foundation

/// A row as plain values by name.
package struct OracleRow: Sendable {
  package let key: Int64
  package let entity: String
  package let values: [String: AttributeScalar]

  package init(key: Int64, entity: String, values: [String: AttributeScalar]) {
    self.key = key
    self.entity = entity
    self.values = values
  }
}

/// Answers queries as slowly and plainly as it can, from the documentation of `PredicateNode`.
package struct QueryOracle {
  package let model: ManagedObjectModel

  package init(_ model: ManagedObjectModel) { self.model = model }

  /// Whether a predicate holds for a row.
  package func holds(_ node: PredicateNode, _ row: OracleRow) -> Bool {
    switch node {
    case .constant(let value): value
    case .joined(let junction): junction.isNegated != holds(junction, row)
    case .comparison(let key, let comparison, let other):
      compares(value(key, row), comparison, plain(other, key, row.entity))
    case .text(let key, let search, let text): finds(value(key, row), search, text)
    case .isIn(let key, let others):
      others.contains { compares(value(key, row), .equal, plain($0, key, row.entity)) }
    case .isNil(let key): value(key, row).isNull
    case .refersTo(let key, let ids): refers(row.values[key] ?? .null, ids)
    case .isSelf(let ids): ids.contains { $0.key == row.key }
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
    let selected = rows.filter { holds(node, $0) }
    return selected.sorted { a, b in
      for step in sort {
        let order = order(value(step.key, a), value(step.key, b))
        if order != 0 { return step.ascending ? order < 0 : order > 0 }
      }
      return a.key < b.key
    }.map(\.key)
  }

  private func refers(_ value: AttributeScalar, _ ids: [ManagedObjectID]) -> Bool {
    ids.contains { .integer($0.key) == value }
  }

  private func value(_ key: String, _ row: OracleRow) -> AttributeScalar {
    plain(row.values[key] ?? .null, key, row.entity)
  }

  /// NaN counts as nil, and decimals are told by an own spelling.
  private func plain(_ value: AttributeScalar, _ key: String, _ entity: String) -> AttributeScalar {
    if case .real(let number) = value, number.isNaN { return .null }
    let type = model.entity(entity).property(key).attributeType
    guard case .text(let text) = value, type == .decimal else { return value }
    return Decimal(string: text).map { .real(NSDecimalNumber(decimal: $0).doubleValue) } ?? .null
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

  private func finds(
    _ value: AttributeScalar, _ search: PredicateNode.TextOperator, _ text: String
  ) -> Bool {
    guard case .text(let whole) = value else { return false }
    let bytes = Array(whole.utf8)
    let part = Array(text.utf8)
    return switch search {
    case .beginsWith: bytes.starts(with: part)
    case .endsWith: bytes.reversed().starts(with: part.reversed())
    case .contains: bytes.indices.contains { bytes[$0...].starts(with: part) } || part.isEmpty
    }
  }

  /// -1, 0 or 1; nil comes first.
  private func order(_ a: AttributeScalar, _ b: AttributeScalar) -> Int {
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
    if b.isInfinite { return b > 0 ? -1 : 1 }
    if Int128(a) < Int128(b.rounded(.up)) { return -1 }
    return Int128(a) > Int128(b.rounded(.down)) ? 1 : 0
  }
}
