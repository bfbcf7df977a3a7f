import CauldronModel

extension PredicateSQL {
  /// The conditions with a word between them.
  func join(_ list: [BoundPredicate], _ word: String, empty: SQLFragment) -> SQLFragment {
    if list.isEmpty { return empty }
    guard let first = StatementCost.deepest(list.map { $0.cost(chainLength) }) else {
      return chain(list.map { condition($0) }, word)
    }
    // So SQLite's parser, whose stack has 100 places, holds nothing but parentheses on the way down.
    let head = condition(list[first])
    var rest = list
    rest.remove(at: first)
    let tail = chain(rest.map { condition($0) }, word)
    return "\(head)\(sql: word)(\(tail))"
  }

  private func chain(_ terms: [SQLFragment], _ word: String) -> SQLFragment {
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
