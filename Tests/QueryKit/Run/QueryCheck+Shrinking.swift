import Cauldron
import CauldronModel
import CauldronQuery

extension QueryCheck {
  /// The smallest question that still has a wrong answer, with that.
  func shrunk(_ question: QueryQuestion, _ difference: String) -> (QueryQuestion, String) {
    var (question, difference) = (question, difference)
    var rest = 2_000
    while let (smaller, other) = smaller(question, difference, &rest) {
      (question, difference) = (smaller, other)
    }
    return (question, difference)
  }

  private func smaller(
    _ question: QueryQuestion, _ difference: String, _ rest: inout Int
  ) -> (QueryQuestion, String)? {
    for candidate in question.smaller {
      rest -= 1
      if rest < 0 { return nil }
      guard let found = self.difference(candidate) else { continue }
      // What is refused now was not before.
      let isOther = found.hasPrefix("threw") != difference.hasPrefix("threw")
      if !isOther { return (candidate, found) }
    }
    return nil
  }
}

extension QueryQuestion {
  /// The question with a little less.
  fileprivate var smaller: [QueryQuestion] {
    var result: [QueryQuestion] = []
    func add(_ change: (inout QueryQuestion) -> Void) {
      var copy = self
      change(&copy)
      result.append(copy)
    }
    if limit != nil { add { $0.limit = nil } }
    if offset > 0 { add { $0.offset = 0 } }
    if having != nil { add { $0.having = nil } }
    if let objectWindow {
      add { $0.objectWindow = nil }
      for place in objectWindow.sortKeys.indices.dropFirst() {
        add { $0.objectWindow?.sortKeys.remove(at: place) }
      }
    }
    if pageSize != nil { add { $0.pageSize = nil } }
    if !includesSubentities { add { $0.includesSubentities = true } }
    for place in sort.indices { add { $0.sort.remove(at: place) } }
    if columns.count > 1 {
      for place in columns.indices { add { $0.columns.remove(at: place) } }
    }
    for place in (groups ?? []).indices { add { $0.groups?.remove(at: place) } }
    for node in condition.smaller { add { $0.condition = node } }
    for place in sort.indices {
      for value in sort[place].expression.smaller { add { $0.sort[place].expression = value } }
    }
    if groups == nil, !isDistinct {
      for place in columns.indices {
        for value in columns[place].smaller { add { $0.columns[place] = value } }
      }
    }
    return result
  }
}

extension PredicateNode {
  /// The condition with a little less.
  fileprivate var smaller: [PredicateNode] {
    switch self {
    case .constant: return []
    case .joined(let junction): return [.constant(true), .constant(false)] + Self.smaller(junction)
    case .comparison(let a, let comparison, let b, let options):
      return [.constant(true), .constant(false)]
        + a.smaller.map { .comparison($0, comparison, b, options) }
        + b.smaller.map { .comparison(a, comparison, $0, options) }
        + (options.isEmpty ? [] : [.comparison(a, comparison, b, [])])
    case .text(let a, let search, let b, let options):
      return [.constant(true), .constant(false)]
        + a.smaller.map { .text($0, search, b, options) }
        + (options.isEmpty ? [] : [.text(a, search, b, [])])
    case .isIn(let a, let list, let options):
      let halves = [list.prefix(list.count / 2), list.suffix(list.count / 2)]
      return [.constant(true), .constant(false)]
        + (list.isEmpty ? [] : halves.map { .isIn(a, Array($0), options) })
        + a.smaller.map { .isIn($0, list, options) }
    case .isNil, .isSelf, .refersTo: return [.constant(true), .constant(false)]
    case .quantified(let quantifier, let path, let condition):
      return [.constant(true), .constant(false)]
        + condition.smaller.map { .quantified(quantifier, path, $0) }
    }
  }

  private static func smaller(_ junction: PredicateJunction) -> [PredicateNode] {
    let list = junction.conditions
    func joined(_ nodes: [PredicateNode]) -> PredicateNode {
      let node = junction.kind == .all ? PredicateNode.and(nodes) : .or(nodes)
      return junction.isNegated ? .not(node) : node
    }
    var result = list
    if list.count > 8 {
      let half = list.count / 2
      result += [joined(Array(list.prefix(half))), joined(Array(list.suffix(half)))]
    }
    for place in list.indices where list.count > 1 {
      var fewer = list
      fewer.remove(at: place)
      result.append(joined(fewer))
    }
    for place in list.indices {
      for node in list[place].smaller {
        var other = list
        other[place] = node
        result.append(joined(other))
      }
    }
    return result
  }
}

extension QueryExpression {
  /// The expression with a little less.
  fileprivate var smaller: [QueryExpression] {
    switch self {
    case .value, .property: return []
    case .arithmetic(let operation, let a, let b):
      return [a, b] + a.smaller.map { .arithmetic(operation, $0, b) }
        + b.smaller.map { .arithmetic(operation, a, $0) }
    case .function(let function, let a):
      return (function.signature == .textToInteger ? [] : [a])
        + a.smaller.map { .function(function, $0) }
    case .aggregate(let aggregate, let path, let value, let condition):
      return (condition == nil ? [] : [.aggregate(aggregate, of: path, value)])
        + (value?.smaller ?? []).map { .aggregate(aggregate, of: path, $0, where: condition) }
        + (condition?.smaller ?? []).map { .aggregate(aggregate, of: path, value, where: $0) }
    case .conditional(let condition, let a, let b):
      return [a, b] + condition.smaller.map { .conditional($0, a, b) }
        + a.smaller.map { .conditional(condition, $0, b) }
        + b.smaller.map { .conditional(condition, a, $0) }
    }
  }
}
