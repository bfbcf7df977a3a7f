import CauldronModel
import CauldronQuery

extension QueryMaker {
  /// An expression whose values are numbers.
  mutating func number(_ entity: String, _ depth: Int) -> QueryExpression {
    guard depth > 0 else { return plainNumber(entity) }
    switch random.below(9) {
    case 0, 1:
      let operation = random.pick([QueryExpression.Arithmetic.add, .subtract, .multiply, .divide])
      return .arithmetic(operation, number(entity, depth - 1), number(entity, depth - 1))
    case 2: return whole(entity, depth)
    case 3: return .function(function(.numberToNumber), number(entity, depth - 1))
    case 4: return .function(function(.textToInteger), text(entity, depth - 1))
    case 5, 6: return aggregate(entity, depth - 1) ?? plainNumber(entity)
    case 7:
      return .conditional(
        condition(entity, depth - 1), number(entity, depth - 1), number(entity, depth - 1))
    default: return plainNumber(entity)
    }
  }

  /// One of the functions that take and give something.
  mutating func function(
    _ signature: QueryExpression.Function.Signature
  ) -> QueryExpression.Function { random.pick(QueryExpression.Function.all(signature)) }

  /// An expression that is made of integers.
  mutating func whole(_ entity: String, _ depth: Int) -> QueryExpression {
    guard depth > 0, !random.once(in: 3) else { return plainWhole(entity) }
    let operations: [QueryExpression.Arithmetic] = [
      .add, .subtract, .multiply, .divide, .remainder, .bitAnd, .bitOr, .bitXor,
    ]
    return .arithmetic(
      random.pick(operations), whole(entity, depth - 1), whole(entity, depth - 1))
  }

  private mutating func plainWhole(_ entity: String) -> QueryExpression {
    if random.once(in: 3) { return .value(.integer(random.pick(QueryValues.integers))) }
    return path(entity) { $0.type?.integerRange != nil }.map { .property($0) }
      ?? .value(.integer(7))
  }

  private mutating func plainNumber(_ entity: String) -> QueryExpression {
    if random.once(in: 3) { return .value(Self.number(&random)) }
    return path(entity) { $0.isNumber }.map { .property($0) } ?? .value(Self.number(&random))
  }

  /// What is gathered from the objects of a relationship.
  private mutating func aggregate(_ entity: String, _ depth: Int) -> QueryExpression? {
    guard let path = path(entity, { $0.isToMany }),
      let end = destination(path.steps[...], entity)
    else { return nil }
    let condition = random.once(in: 3) ? self.condition(end, depth) : nil
    switch random.below(6) {
    case 0: return .aggregate(.count, of: path, nil, where: condition)
    case 1: return .aggregate(.count, of: path, text(end, depth), where: condition)
    case 2: return .aggregate(.sum, of: path, summand(end, depth), where: condition)
    case 3:
      let value = random.once(in: 4) ? decimal(end, depth) : nil
      return .aggregate(.average, of: path, value ?? number(end, depth), where: condition)
    case 4: return .aggregate(.minimum, of: path, number(end, depth), where: condition)
    default: return .aggregate(.maximum, of: path, number(end, depth), where: condition)
    }
  }

  /// Mostly small numbers, whose sum is within 64 bits.
  mutating func summand(_ entity: String, _ depth: Int) -> QueryExpression {
    if random.once(in: 6) { return number(entity, depth) }
    return path(entity) { $0.type == .integer16 || $0.type == .double }.map { .property($0) }
      ?? .value(.integer(1))
  }

  /// An expression whose values are texts.
  mutating func text(_ entity: String, _ depth: Int) -> QueryExpression {
    if depth > 0 {
      switch random.below(7) {
      case 0, 1: return .function(function(.textToText), text(entity, depth - 1))
      case 2:
        return .conditional(
          condition(entity, depth - 1), text(entity, depth - 1), text(entity, depth - 1))
      case 3:
        guard let path = path(entity, { $0.isToMany }),
          let end = destination(path.steps[...], entity)
        else { break }
        let aggregate = random.pick([QueryExpression.Aggregate.minimum, .maximum])
        return .aggregate(aggregate, of: path, text(end, depth - 1))
      default: break
      }
    }
    if random.once(in: 4) { return .value(Self.text(&random)) }
    return path(entity) { $0.type == .string || $0.type == .uri }.map { .property($0) }
      ?? .value(Self.text(&random))
  }

  /// What to sort or to group by.
  mutating func key(_ entity: String) -> QueryExpression {
    switch random.below(6) {
    case 0: return number(entity, 2)
    case 1: return text(entity, 2)
    case 2:
      if random.once(in: 4), let decimal = decimal(entity, 2) { return decimal }
      return path(entity) { $0.type != nil }.map { .property($0) } ?? .value(.null)
    default:
      let own = (schema.properties[entity] ?? []).filter { $0.type != nil }
      return .property(PropertyPath(steps: [random.pick(own).name]))
    }
  }
}

extension QuerySchema.Property {
  /// Whether it is a number that can be calculated with.
  var isNumber: Bool {
    switch type {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .date: true
    default: false
    }
  }
}
