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

  func deeper(by levels: Int = 1) -> PredicateCost {
    PredicateCost(conditions: conditions, parameters: parameters, depth: depth + levels)
  }
}

extension PredicateCost {
  /// That of a list: one of reals takes many parameters, one of each other kind takes two at most.
  fileprivate init(_ values: Set<AttributeScalar>) {
    let reals = values.count { if case .real = $0 { true } else { false } }
    self.init(conditions: 1, parameters: PredicateSQL.parameterCount(ofReals: reals) + 6)
  }
}

extension BoundPredicate {
  fileprivate var cost: PredicateCost {
    switch self {
    case .and(let nodes), .or(let nodes):
      return nodes.reduce(PredicateCost()) { $0 + $1.cost }.deeper()
    case .not(let node): return node.cost.deeper()
    case .exists(_, let node): return (node.cost + PredicateCost(conditions: 1)).deeper(by: 2)
    case .isIn(_, let values): return PredicateCost(values)
    case .member(let value, let values):
      return (PredicateCost(values) + value.cost + value.cost + value.cost).deeper()
    case .compare(let a, _, let b), .search(let a, _, let b):
      return (a.cost + b.cost + PredicateCost(conditions: 1, parameters: 2)).deeper()
    case .matches(let value, _):
      return (value.cost + PredicateCost(conditions: 1, parameters: 2)).deeper()
    case .constant, .isNull, .comparison, .text, .refersTo, .isSelf, .isAfter:
      return PredicateCost(conditions: 1, parameters: 2)
    }
  }
}

extension BoundExpression {
  fileprivate var cost: PredicateCost {
    switch self {
    case .constant, .decimal: return PredicateCost(parameters: 1)
    case .attribute: return PredicateCost()
    case .related(_, let value): return (value.cost + PredicateCost(conditions: 1)).deeper(by: 2)
    case .aggregate(let gathering):
      // A sum of integers names what it sums three times.
      let value = gathering.value?.cost ?? PredicateCost()
      let condition = gathering.condition?.cost ?? PredicateCost()
      return (value + value + value + condition + PredicateCost(conditions: 1)).deeper(by: 2)
    case .grouped(_, let value): return (value?.cost ?? PredicateCost()).deeper()
    case .arithmetic(_, let a, let b):
      // A remainder names both twice.
      return (a.cost + b.cost + a.cost + b.cost).deeper()
    case .function(_, let value), .folded(_, let value), .zeroForNil(let value):
      return value.cost.deeper()
    case .conditional(let condition, let a, let b):
      return (condition.cost + a.cost + b.cost).deeper()
    }
  }
}
