import CauldronModel
import CauldronQuery

/// What the text of a simple query depends on: those of one shape differ in their values alone, so that
/// the statement of the first one serves them all, and its text is written once.
///
/// Simple is a query of one comparison or two that are joined by AND, in the order of one attribute at
/// most. All others are found by their text.
struct QueryShape: Hashable {
  private let head: UInt64
  private let terms: UInt64
  private let order: UInt64

  /// Nil where the query is not simple.
  init?(_ query: StoreQuery) {
    var head = UInt64(UInt32(bitPattern: query.entity.number)) << 8
    if query.includesSubentities { head |= 1 }
    if query.hasWindow { head |= 2 }
    guard let terms = Self.terms(query.predicate), let order = Self.order(query.sort) else {
      return nil
    }
    self.head = head
    self.terms = terms
    self.order = order
  }

  private static func terms(_ predicate: BoundPredicate?) -> UInt64? {
    guard let predicate else { return 0 }
    guard case .and(let nodes) = predicate else { return term(predicate).map { $0 | 1 << 63 } }
    guard nodes.count == 2, let first = term(nodes[0]), let second = term(nodes[1]) else {
      return nil
    }
    return first << 31 | second
  }

  /// A comparison in 31 bits, the highest of which is set.
  private static func term(_ predicate: BoundPredicate) -> UInt64? {
    let mark: UInt64 = 1 << 30
    switch predicate {
    case .isSelf(let keys): return keys.count == 1 ? mark : nil
    case .refersTo(let property, let keys):
      return keys.count == 1 ? mark | 1 << 24 | UInt64(property.index) : nil
    case .comparison(let property, let comparison, let scalar):
      guard property.index < 1 << 16, property.form != .decimal,
        let number = operators.firstIndex(of: comparison)
      else { return nil }
      switch scalar {
      case .null, .blob: return nil
      case .real(let value): if value.isNaN { return nil }
      case .integer, .text: break
      }
      return mark | 2 << 24 | UInt64(number) << 16 | UInt64(property.index)
    default: return nil
    }
  }

  private static let operators: [PredicateNode.ComparisonOperator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  private static func order(_ sort: [StoreQuery.SortKey]) -> UInt64? {
    if sort.isEmpty { return 0 }
    guard sort.count == 1, let property = sort[0].property else { return nil }
    return 1 << 33 | (sort[0].ascending ? 1 << 32 : 0) | UInt64(property.index)
  }

  /// The values of a simple query in the order in which its statement has them.
  static func values(of query: StoreQuery) -> [SQLValue] {
    var values: [SQLValue] = []
    values.reserveCapacity(4)
    switch query.predicate {
    case .and(let nodes): for node in nodes { append(node, to: &values) }
    case let node?: append(node, to: &values)
    case nil: break
    }
    if query.hasWindow {
      values.append(.integer(Int64(query.limit ?? -1)))
      values.append(.integer(Int64(max(0, query.offset))))
    }
    return values
  }

  private static func append(_ predicate: BoundPredicate, to values: inout [SQLValue]) {
    switch predicate {
    case .isSelf(let keys), .refersTo(_, let keys):
      if let key = keys.first { values.append(.integer(key)) }
    case .comparison(_, _, .integer(let value)): values.append(.integer(value))
    case .comparison(_, _, .real(let value)): values.append(.real(value))
    case .comparison(_, _, .text(let text)): values.append(.text(Array(text.utf8)))
    default: break
    }
  }
}
