package import CauldronModel

/// The rows, along the relationships that a query follows, whose part in it pending changes may have
/// turned.
package struct TouchedRows {
  /// Their keys.
  package var keys: Set<Int64> = []
  /// The keys of those that the store may have.
  package var storedKeys: Set<Int64> = []
  /// Those that lie behind each relationship.
  package var branches: [(property: PropertyLayout, rows: TouchedRows)] = []

  package init() {}

  fileprivate func behind(_ property: PropertyLayout) -> TouchedRows? {
    branches.first { $0.property.index == property.index }?.rows
  }
}

// What a store says of touched rows is not used. So it is not asked for their sums either, of which
// one may be too large that nobody sees.
extension BoundPredicate {
  /// A predicate that says the same of all other rows, and asks for no sum of these.
  package func sparing(_ rows: TouchedRows) -> BoundPredicate {
    switch self {
    case .and(let nodes): return .and(nodes.map { $0.sparing(rows) })
    case .or(let nodes): return .or(nodes.map { $0.sparing(rows) })
    case .not(let node): return .not(node.sparing(rows))
    case .exists(let property, let node):
      return .exists(property, rows.behind(property).map(node.sparing) ?? node)
    case .compare(let a, let comparison, let b):
      let asked = BoundPredicate.compare(a.sparing(rows), comparison, b.sparing(rows))
      return a.hasSum || b.hasSum ? asked.asked(butOf: rows) : asked
    case .search(let a, let search, let b):
      return .search(a.sparing(rows), search, b.sparing(rows))
    case .matches(let value, let pattern): return .matches(value.sparing(rows), pattern)
    case .member(let value, let values):
      let asked = BoundPredicate.member(value.sparing(rows), values)
      return value.hasSum ? asked.asked(butOf: rows) : asked
    case .constant, .isNull, .comparison, .text, .isIn, .refersTo, .isSelf, .isAfter: return self
    }
  }

  /// The first part of a conditional is read before the others, in every store.
  private func asked(butOf rows: TouchedRows) -> BoundPredicate {
    if rows.storedKeys.isEmpty { return self }
    let truth = BoundExpression.conditional(
      self, .constant(.integer(1)), .constant(.integer(0)))
    return .compare(
      .conditional(.isSelf(rows.storedKeys), .constant(.integer(0)), truth), .equal,
      .constant(.integer(1)))
  }
}

extension BoundExpression {
  /// An expression that is worth the same for all other rows.
  package func sparing(_ rows: TouchedRows) -> BoundExpression {
    switch self {
    case .constant, .decimal, .attribute: return self
    case .related(let property, let value):
      return .related(property, rows.behind(property).map(value.sparing) ?? value)
    case .aggregate(let gathering):
      guard let rows = rows.behind(gathering.relationship) else { return self }
      return .aggregate(
        Gathering(
          aggregate: gathering.aggregate, relationship: gathering.relationship,
          value: gathering.value?.sparing(rows), condition: gathering.condition?.sparing(rows)))
    case .grouped(let aggregate, let value): return .grouped(aggregate, value?.sparing(rows))
    case .arithmetic(let operation, let a, let b):
      return .arithmetic(operation, a.sparing(rows), b.sparing(rows))
    case .function(let function, let value): return .function(function, value.sparing(rows))
    case .folded(let options, let value): return .folded(options, value.sparing(rows))
    case .collated(let collator, let value): return .collated(collator, value.sparing(rows))
    case .section(let transform, let value): return .section(transform, value.sparing(rows))
    case .zeroForNil(let value): return .zeroForNil(value.sparing(rows))
    case .conditional(let condition, let a, let b):
      return .conditional(condition.sparing(rows), a.sparing(rows), b.sparing(rows))
    }
  }

  /// Whether a sum is gathered for the row, here or behind a relationship.
  fileprivate var hasSum: Bool {
    switch self {
    case .constant, .decimal, .attribute, .grouped: false
    case .related(_, let value), .function(_, let value), .folded(_, let value),
      .collated(_, let value), .section(_, let value), .zeroForNil(let value):
      value.hasSum
    case .aggregate(let gathering):
      gathering.aggregate == .sum || gathering.value?.hasSum ?? false
        || gathering.condition?.hasSum ?? false
    case .arithmetic(_, let a, let b): a.hasSum || b.hasSum
    case .conditional(let condition, let a, let b): condition.hasSum || a.hasSum || b.hasSum
    }
  }
}

extension BoundPredicate {
  fileprivate var hasSum: Bool {
    switch self {
    case .and(let nodes), .or(let nodes): nodes.contains(where: \.hasSum)
    case .not(let node), .exists(_, let node): node.hasSum
    case .compare(let a, _, let b), .search(let a, _, let b): a.hasSum || b.hasSum
    case .matches(let value, _), .member(let value, _): value.hasSum
    case .constant, .isNull, .comparison, .text, .isIn, .refersTo, .isSelf, .isAfter: false
    }
  }
}
