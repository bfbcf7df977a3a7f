import CauldronModel

/// Divides a predicate into what a statement takes and what is asked of the rows that it finds.
///
/// A statement has room for 32,766 parameters and its parser for a stack of 100 places
/// (https://www.sqlite.org/limits.html), and the time to plan it grows with the square of its
/// conditions. What goes beyond is tried on the rows, with the same meaning and no limit.
struct PredicateSplit {
  /// What SQL asks.
  let inSQL: BoundPredicate?
  /// What is asked of each row; nil where SQL asks everything.
  let inMemory: BoundPredicate?

  private static let greatestConditionCount = 1_000
  private static let greatestParameterCount = 20_000
  private static let greatestDepth = 20

  init(_ predicate: BoundPredicate?) {
    guard let predicate, !Self.fits(predicate.cost) else {
      (inSQL, inMemory) = (predicate, nil)
      return
    }
    guard case .and(let nodes) = predicate else {
      (inSQL, inMemory) = (nil, predicate)
      return
    }
    var total = PredicateCost()
    var taken: [BoundPredicate] = []
    var left: [BoundPredicate] = []
    for node in nodes {
      let sum = total + node.cost
      if Self.fits(sum) {
        total = sum
        taken.append(node)
      } else {
        left.append(node)
      }
    }
    inSQL = taken.isEmpty ? nil : .and(taken)
    inMemory = left.isEmpty ? nil : .and(left)
  }

  private static func fits(_ cost: PredicateCost) -> Bool {
    cost.conditions <= greatestConditionCount && cost.parameters <= greatestParameterCount
      && cost.depth <= greatestDepth
  }
}

/// What a predicate would cost a statement.
private struct PredicateCost {
  var conditions = 0
  var parameters = 0
  var depth = 0

  static func + (a: PredicateCost, b: PredicateCost) -> PredicateCost {
    PredicateCost(
      conditions: a.conditions + b.conditions, parameters: a.parameters + b.parameters,
      depth: max(a.depth, b.depth))
  }
}

extension BoundPredicate {
  fileprivate var cost: PredicateCost {
    switch self {
    case .and(let nodes), .or(let nodes):
      var cost = nodes.reduce(PredicateCost()) { $0 + $1.cost }
      cost.depth += 1
      return cost
    case .not(let node):
      var cost = node.cost
      cost.depth += 1
      return cost
    case .isIn(_, let values):
      // A list of reals takes many parameters; one of each other kind takes two at most.
      let reals = values.count { if case .real = $0 { true } else { false } }
      return PredicateCost(
        conditions: 1, parameters: PredicateSQL.parameterCount(ofReals: reals) + 6)
    case .constant, .isNull, .comparison, .text, .refersTo, .isSelf:
      return PredicateCost(conditions: 1, parameters: 2)
    }
  }
}
