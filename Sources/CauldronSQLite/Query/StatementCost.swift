import CauldronModel
import CauldronQuery

/// What a piece of SQL takes of a statement.
struct StatementCost {
  /// The comparisons, columns and statements in it: the time to plan it grows with their square.
  var conditions = 0
  var parameters = 0
  /// How many places of its stack the parser needs at once: whatever it has read and not yet put
  /// together takes one.
  var places = 0
  /// How many expressions lie within one another, as SQLite counts them.
  var height = 1
  /// The same of the statements within it: SQLite adds up those that lie within one another.
  var within = 0
  /// The most conditions that an AND joins.
  var conjuncts = 0

  /// The cost of both beside one another.
  static func + (a: StatementCost, b: StatementCost) -> StatementCost {
    StatementCost(
      conditions: min(a.conditions, 1 << 40) + min(b.conditions, 1 << 40),
      parameters: min(a.parameters, 1 << 40) + min(b.parameters, 1 << 40),
      places: max(a.places, b.places), height: max(a.height, b.height),
      within: max(a.within, b.within), conjuncts: max(a.conjuncts, b.conjuncts))
  }

  /// The cost of a piece that stands several times.
  static func * (a: StatementCost, count: Int) -> StatementCost {
    var result = a
    // Of what lies within one another each level multiplies; no statement has room for so many anyway.
    result.conditions = min(a.conditions, 1 << 40) * count
    result.parameters = min(a.parameters, 1 << 40) * count
    return result
  }

  /// The cost with more around it.
  func within(places: Int, height more: Int = 1) -> StatementCost {
    var result = self
    result.places += places
    result.height += more
    return result
  }

  /// The cost of what compares with a statement that asks for this; before it stand names and words,
  /// such as `x IN (SELECT Z_PK FROM t AS t1 WHERE Z_ENT = 1 AND (`.
  func inStatement() -> StatementCost {
    var result = within(places: 11, height: 3)
    result.conditions += 1
    // Its condition stands beside those on its entity and its owner.
    result.within += height + 2
    return result
  }
}

extension StatementRoom {
  /// The most columns, and the most values to sort by; SQLite takes 2,000.
  static let greatestTermCount = 1_000

  private static let greatestConditionCount = 1_000
  private static let greatestParameterCount = 20_000
  /// The parser's stack has 100 places, of which a statement with a window takes 17.
  private static let greatestPlaceCount = 80

  /// Whether a statement has room for a piece.
  func fits(_ cost: StatementCost) -> Bool {
    // A window takes two parameters, and puts a statement around everything.
    cost.conditions <= Self.greatestConditionCount
      && cost.parameters + 4 <= min(Self.greatestParameterCount, parameters)
      && cost.places <= Self.greatestPlaceCount && cost.conjuncts <= depth / 2
      && 2 * cost.height + cost.within + 6 <= depth
  }
}

extension BoundPredicate {
  /// What the condition takes of a statement in which so many stand beside one another.
  func cost(_ chainLength: Int) -> StatementCost {
    switch self {
    case .and(let nodes):
      var cost = Self.cost(of: nodes, chainLength: chainLength)
      cost.conjuncts = max(cost.conjuncts, nodes.count)
      return cost
    case .or(let nodes): return Self.cost(of: nodes, chainLength: chainLength)
    case .not(let node): return node.cost(chainLength).within(places: 2)
    case .exists(let property, let node):
      let cost = node.cost(chainLength).inStatement()
      return property.join == nil ? cost : cost.inStatement()
    case .isIn(_, let values): return StatementCost(values)
    case .member(let value, let values):
      let own = value.cost(chainLength)
      return (StatementCost(values) + own * 3).within(places: 3, height: 4)
    case .compare(let a, _, let b), .search(let a, _, let b):
      return (a.cost(chainLength) + b.cost(chainLength) + .leaf).within(places: 5)
    case .matches(let value, _): return (value.cost(chainLength) + .leaf).within(places: 5)
    case .constant, .isNull, .comparison, .text, .refersTo, .isSelf, .isAfter: return .leaf
    }
  }

  private static func cost(of nodes: [BoundPredicate], chainLength: Int) -> StatementCost {
    let costs = nodes.map { $0.cost(chainLength) }
    var all = costs.reduce(StatementCost(), +)
    if let first = StatementCost.deepest(costs) {
      // It is read before the others, which stand in parentheses then.
      let rest = costs.indices.filter { $0 != first }.map { costs[$0].places }.max() ?? 0
      all.places = max(costs[first].places + 1, rest + 6)
    } else {
      all.places += nodes.count > 1 ? 5 : 0
    }
    var height = 1
    var count = nodes.count
    while count > chainLength {
      height += chainLength - 1
      count = (count + chainLength - 1) / chainLength
    }
    return all.within(places: 0, height: height + max(0, count - 1))
  }
}

extension StatementCost {
  /// Which of several conditions has to come first, so that the parser holds nothing but parentheses on
  /// the way down; nil where none is deep.
  static func deepest(_ costs: [StatementCost]) -> Int? {
    guard costs.count > 1, let greatest = costs.map(\.places).max(), greatest > 30 else {
      return nil
    }
    return costs.firstIndex { $0.places == greatest }
  }
}

extension BoundExpression {
  /// What the expression takes of a statement.
  func cost(_ chainLength: Int) -> StatementCost {
    switch self {
    case .constant, .decimal: return StatementCost(parameters: 1, places: 5, height: 2)
    case .attribute: return StatementCost(conditions: 1, places: 5, height: 3)
    case .related(_, let value): return value.cost(chainLength).inStatement()
    case .aggregate(let gathering):
      let condition = gathering.condition?.cost(chainLength) ?? StatementCost()
      let value = Self.gathered(gathering.value, chainLength: chainLength)
      let cost = (value + condition + .leaf).inStatement()
      return gathering.relationship.join == nil ? cost : cost + StatementCost(conditions: 1)
    case .grouped(_, let value):
      return Self.gathered(value, chainLength: chainLength).within(places: 0)
    case .arithmetic(_, let a, let b):
      let cost = a.cost(chainLength) + b.cost(chainLength)
      return kind == .decimal ? cost.within(places: 10, height: 3) : cost.within(places: 5)
    case .function(_, let value):
      let cost = value.cost(chainLength) + StatementCost(parameters: 1)
      return kind == .decimal ? cost.within(places: 8, height: 3) : cost.within(places: 4)
    case .section(_, let value), .collated(_, let value):
      return (value.cost(chainLength) + StatementCost(parameters: 1)).within(places: 4)
    case .folded(_, let value), .zeroForNil(let value):
      return value.cost(chainLength).within(places: 4)
    case .conditional(let condition, let a, let b):
      return (condition.cost(chainLength) + a.cost(chainLength) + b.cost(chainLength))
        .within(places: 5)
    }
  }

  private static func gathered(_ value: BoundExpression?, chainLength: Int) -> StatementCost {
    guard let value else { return StatementCost() }
    return value.cost(chainLength).within(places: 9, height: 3)
  }
}

extension StatementCost {
  /// That of a comparison of a column.
  fileprivate static let leaf = StatementCost(
    conditions: 1, parameters: 2, places: 13, height: 5, within: 2)

  /// That of a list: one of reals takes many parameters, one of each other kind takes two at most.
  fileprivate init(_ values: Set<AttributeScalar>) {
    let reals = values.count { if case .real = $0 { true } else { false } }
    self.init(
      conditions: 1, parameters: PredicateSQL.parameterCount(ofReals: reals) + 6, places: 20,
      height: 8, within: 6)
  }
}

/// Divides a query into a statement and a test of the rows that it finds.
///
/// A statement has room for 32,766 parameters, an expression for 1,000 levels and SQLite's parser
/// for a stack of 100 places (https://www.sqlite.org/limits.html), and the time to plan it grows
/// with the square of its conditions. Conditions beyond that are tried on the rows, with the same
/// meaning and no limit.
struct PredicateSplit {
  /// What SQL asks.
  let inSQL: BoundPredicate?
  /// What is asked of each row; nil where SQL asks everything.
  let inMemory: BoundPredicate?
  /// Whether SQL sorts the rows.
  let sortsInSQL: Bool

  /// Divides the condition of a query and its order.
  init(_ query: StoreQuery, _ room: StatementRoom) {
    let order = query.orderCost(room)
    sortsInSQL = query.sort.count <= StatementRoom.greatestTermCount && room.fits(order)
    (inSQL, inMemory) = Self.split(
      query.predicate, beside: sortsInSQL ? order : StatementCost(), in: room)
  }

  private static func split(
    _ predicate: BoundPredicate?, beside other: StatementCost, in room: StatementRoom
  ) -> (inSQL: BoundPredicate?, inMemory: BoundPredicate?) {
    guard let predicate, !room.fits(predicate.cost(room.chainLength) + other) else {
      return (predicate, nil)
    }
    guard case .and(let nodes) = predicate else { return (nil, predicate) }
    var total = other
    var taken: [BoundPredicate] = []
    var left: [BoundPredicate] = []
    for node in nodes {
      // Those beside one another lie within parentheses.
      let sum = total + node.cost(room.chainLength).within(places: 3, height: 8)
      if room.fits(sum), taken.count < room.depth / 2 {
        total = sum
        taken.append(node)
      } else {
        left.append(node)
      }
    }
    return (taken.isEmpty ? nil : .and(taken), left.isEmpty ? nil : .and(left))
  }
}

extension StoreQuery {
  fileprivate func orderCost(_ room: StatementRoom) -> StatementCost {
    // With a window the order stands twice.
    sort.reduce(StatementCost()) { $0 + $1.expression.cost(room.chainLength) } * 2
  }

  /// Whether a statement has room for condition and order, and for what else stands in it.
  func fits(_ room: StatementRoom, beside other: StatementCost) -> Bool {
    let split = PredicateSplit(self, room)
    guard split.inMemory == nil, split.sortsInSQL else { return false }
    var own = (predicate?.cost(room.chainLength) ?? StatementCost()) + orderCost(room)
    if limit != nil || offset > 0 { own = own.inStatement() }
    return room.fits(own + other)
  }
}

extension ValueQuery {
  /// Whether a statement has room for everything.
  func fits(_ room: StatementRoom) -> Bool {
    guard expressions.count <= StatementRoom.greatestTermCount else { return false }
    var cost = StatementCost()
    for expression in expressions + (ties ?? []) { cost = cost + expression.cost(room.chainLength) }
    if let having { cost = cost + having.cost(room.chainLength) }
    return rows.fits(room, beside: cost)
  }
}
