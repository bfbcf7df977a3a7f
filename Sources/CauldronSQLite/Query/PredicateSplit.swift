import CauldronModel
import CauldronQuery

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
