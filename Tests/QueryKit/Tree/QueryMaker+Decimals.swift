import CauldronModel
import CauldronQuery

extension QueryMaker {
  /// An expression whose values are decimals; nil where no attribute is one.
  mutating func decimal(_ entity: String, _ depth: Int) -> QueryExpression? {
    guard let path = path(entity, { $0.type == .decimal }) else { return nil }
    guard depth > 0, !random.once(in: 3) else { return .property(path) }
    switch random.below(6) {
    case 0, 1, 2: return calculated(entity, depth) ?? .property(path)
    case 3: return decimal(entity, depth - 1).map { .function(function(.numberToNumber), $0) }
    case 4: return gathered(entity, depth) ?? .property(path)
    default:
      guard let a = decimal(entity, depth - 1), let b = decimal(entity, depth - 1) else {
        return nil
      }
      return .conditional(condition(entity, depth - 1), a, b)
    }
  }

  private mutating func calculated(_ entity: String, _ depth: Int) -> QueryExpression? {
    let operation = random.pick([QueryExpression.Arithmetic.add, .subtract, .multiply, .divide])
    guard let decimal = decimal(entity, depth - 1) else { return nil }
    let other: QueryExpression =
      switch random.below(3) {
      case 0: .value(operand(.decimal))
      case 1: whole(entity, 0)
      default: self.decimal(entity, depth - 1) ?? .value(.integer(2))
      }
    return random.once(in: 2)
      ? .arithmetic(operation, decimal, other) : .arithmetic(operation, other, decimal)
  }

  private mutating func gathered(_ entity: String, _ depth: Int) -> QueryExpression? {
    guard let path = path(entity, { $0.isToMany }),
      let end = destination(path.steps[...], entity), let value = decimal(end, depth - 1)
    else { return nil }
    let aggregate = random.pick([QueryExpression.Aggregate.sum, .minimum, .maximum])
    let condition = random.once(in: 3) ? self.condition(end, depth - 1) : nil
    return .aggregate(aggregate, of: path, value, where: condition)
  }
}
