import CauldronModel

extension PredicateSQL {
  /// So many conditions stand beside one another before parentheses gather them: SQLite refuses
  /// expressions more than 1,000 levels deep, and a chain of ANDs is a level for each
  /// (https://www.sqlite.org/limits.html#max_expr_depth).
  private static let chainLength = 32

  /// The conditions with a word between them.
  func join(_ list: [BoundPredicate], _ word: String, empty: SQLFragment) -> SQLFragment {
    if list.isEmpty { return empty }
    let depths = list.map(\.depth)
    let greatest = depths.max() ?? 0
    guard greatest > 3, list.count > 1, let first = depths.firstIndex(of: greatest) else {
      return Self.chain(list.map { condition($0) }, word)
    }
    // What is deepest comes first, so that SQLite's parser, whose stack has 100 places, holds
    // nothing but parentheses on the way down.
    let head = condition(list[first])
    var rest = list
    rest.remove(at: first)
    let tail = Self.chain(rest.map { condition($0) }, word)
    return "\(head)\(sql: word)(\(tail))"
  }

  private static func chain(_ terms: [SQLFragment], _ word: String) -> SQLFragment {
    var terms = terms
    while terms.count > chainLength {
      terms = stride(from: 0, to: terms.count, by: chainLength).map { start in
        let part = terms[start..<min(start + chainLength, terms.count)]
        return "(\(part.joined(by: word)))"
      }
    }
    return terms.joined(by: word)
  }
}

extension BoundPredicate {
  /// How many ANDs, ORs and NOTs lie within one another.
  var depth: Int {
    switch self {
    case .and(let nodes), .or(let nodes): 1 + (nodes.map(\.depth).max() ?? 0)
    case .not(let node): 1 + node.depth
    case .exists(_, let node): 2 + node.depth
    case .compare(let a, _, let b), .search(let a, _, let b): 1 + max(a.depth, b.depth)
    case .matches(let value, _), .member(let value, _): 1 + value.depth
    case .constant, .isNull, .comparison, .text, .isIn, .refersTo, .isSelf, .isAfter: 0
    }
  }
}

extension BoundExpression {
  /// How many conditions and expressions lie within one another.
  var depth: Int {
    switch self {
    case .constant, .decimal, .attribute: 0
    case .related(_, let value): 2 + value.depth
    case .aggregate(let gathering):
      2 + max(gathering.value?.depth ?? 0, gathering.condition?.depth ?? 0)
    case .grouped(_, let value): 1 + (value?.depth ?? 0)
    case .arithmetic(_, let a, let b): 1 + max(a.depth, b.depth)
    case .function(_, let value), .folded(_, let value), .zeroForNil(let value): 1 + value.depth
    case .conditional(let condition, let a, let b):
      1 + max(condition.depth, a.depth, b.depth)
    }
  }
}
