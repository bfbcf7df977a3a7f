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
