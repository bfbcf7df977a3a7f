import CauldronModel
import Foundation

extension PredicateBinder {
  /// An expression of the entity's rows.
  func bind(_ expression: QueryExpression) throws -> BoundExpression {
    switch expression {
    case .value(let scalar): return .constant(scalar.isNothing ? .null : scalar)
    case .property(let path): return try bind(path, along: path.steps[...])
    case .arithmetic(let operation, let a, let b): return try calculate(operation, of: a, and: b)
    case .function(let function, let value): return try bind(function, of: value)
    case .aggregate(let aggregate, let path, let value, let condition):
      let call = AggregateCall(
        aggregate: aggregate, path: path, value: value, condition: condition)
      return try bind(call, along: path.steps[...])
    case .conditional(let condition, let a, let b):
      let (first, second) = try pair(a, with: b)
      let kinds = [first.kind, second.kind]
      guard !kinds.contains(.decimal) || !kinds.contains(.integer) && !kinds.contains(.real) else {
        throw CauldronError.mismatch(
          entity, "\(a) and \(b) are a Decimal and another number; a value is of one kind")
      }
      return .conditional(try bind(condition), first, second)
    }
  }

  private func bind(
    _ path: PropertyPath, along steps: ArraySlice<String>
  ) throws -> BoundExpression {
    let steps = entity.joiningElements(steps)
    guard let first = steps.first else {
      throw CauldronError.mismatch(entity, "the object itself is compared with objects alone")
    }
    if steps.count > 1 {
      let property = try step(first, of: path)
      return .related(property, try following(property).bind(path, along: steps.dropFirst()))
    }
    let property = try PredicateNode.property(first, entity)
    if property.kind == .toOne { return .attribute(property) }
    return .attribute(try PredicateNode.attribute(first, entity))
  }

  /// Two numbers, calculated; what is spelt out beside a decimal is one.
  private func calculate(
    _ operation: QueryExpression.Arithmetic, of a: QueryExpression, and b: QueryExpression
  ) throws -> BoundExpression {
    let (left, right) = (try bind(a), try bind(b))
    let pair = (left.spelt(like: right.kind), right.spelt(like: left.kind))
    for (value, expression) in [(pair.0, a), (pair.1, b)] {
      try checkNumber(value.kind, in: expression, wholeOnly: operation.isOfIntegers)
    }
    let kinds = [pair.0.kind, pair.1.kind]
    guard !kinds.contains(.decimal) || !kinds.contains(.real) else {
      throw CauldronError.mismatch(
        entity, "\(a) and \(b) are a Decimal and a Double; they cannot be calculated with together")
    }
    return .arithmetic(operation, pair.0, pair.1)
  }

  private func number(_ expression: QueryExpression) throws -> BoundExpression {
    let value = try bind(expression)
    try checkNumber(value.kind, in: expression, wholeOnly: false)
    return value
  }

  private func checkNumber(
    _ kind: BoundExpression.Kind, in expression: QueryExpression, wholeOnly: Bool
  ) throws {
    switch kind {
    case .integer, .nothing: return
    case .real where !wholeOnly, .decimal where !wholeOnly: return
    case .real, .decimal:
      throw CauldronError.mismatch(
        entity, "\(expression) is a number with a fraction; remainders and bits are of integers")
    case .text, .bytes, .reference:
      throw CauldronError.mismatch(
        entity, "\(expression) is \(kind.name); it cannot be calculated with")
    }
  }

  private func bind(
    _ function: QueryExpression.Function, of expression: QueryExpression
  ) throws -> BoundExpression {
    guard function.signature.takesText else {
      return .function(function, try number(expression))
    }
    let value = try bind(expression)
    guard value.kind == .text || value.kind == .nothing else {
      throw CauldronError.mismatch(
        entity, "\(function.name) takes text, and \(expression) is \(value.kind.name)")
    }
    return .function(function, value)
  }

  private func bind(
    _ call: AggregateCall, along steps: ArraySlice<String>
  ) throws -> BoundExpression {
    let aggregate = call.aggregate
    guard let first = steps.first else {
      guard hasGroups else {
        throw CauldronError.withoutGroups(entity)
      }
      guard call.condition == nil else {
        throw CauldronError.unsupported(entity, nil, "a group is not gathered from in parts")
      }
      // The rows of a group have no groups within them.
      let rows = PredicateBinder(entity: entity, storeNumber: storeNumber)
      return .grouped(aggregate, try rows.gathered(aggregate, of: call.value))
    }
    let property = try relationship(first)
    if steps.count > 1 {
      let property = try step(first, of: call.path)
      let inner = try following(property).bind(call, along: steps.dropFirst())
      return Self.gathered(aggregate, behind: property, of: inner)
    }
    guard property.kind == .toMany else {
      throw CauldronError.mismatch(
        entity, "@\(aggregate.rawValue) is of a to-many relationship, and \(first) is to-one")
    }
    let binder = try following(property)
    return .aggregate(
      .init(
        aggregate: aggregate, relationship: property,
        value: try binder.gathered(aggregate, of: call.value),
        condition: try call.condition.map { try binder.bind($0) }))
  }

  /// What is gathered behind a to-one relationship. Where that leads nowhere, a count and a sum are 0; a sum
  /// of reals or Decimals may be nil behind an object, too, and stays nil there.
  private static func gathered(
    _ aggregate: QueryExpression.Aggregate, behind property: PropertyLayout,
    of inner: BoundExpression
  ) -> BoundExpression {
    let related = BoundExpression.related(property, inner)
    guard aggregate == .count || aggregate == .sum else { return related }
    switch inner.kind {
    case .real:
      return .conditional(
        .exists(property, .constant(true)), related, .constant(.integer(0)))
    case .decimal:
      return .conditional(.exists(property, .constant(true)), related, .decimal("0"))
    default: return .zeroForNil(related)
    }
  }

  /// What is gathered from the entity's rows; nil for a count of them.
  func gathered(
    _ aggregate: QueryExpression.Aggregate, of value: QueryExpression?
  ) throws -> BoundExpression? {
    guard let value else {
      guard aggregate == .count else {
        throw CauldronError.mismatch(entity, "@\(aggregate.rawValue) needs a property")
      }
      return nil
    }
    let bound = try bind(value)
    switch (aggregate, bound.kind) {
    case (.count, _), (_, .nothing), (.minimum, .integer), (.minimum, .real), (.minimum, .decimal),
      (.minimum, .text), (.maximum, .integer), (.maximum, .real), (.maximum, .decimal),
      (.maximum, .text):
      return bound
    case (.sum, _), (.average, _):
      try checkNumber(bound.kind, in: value, wholeOnly: false)
      return bound
    case (.minimum, _), (.maximum, _):
      throw CauldronError.mismatch(
        entity, "\(value) is \(bound.kind.name), which has no smallest and no largest value")
    }
  }
}

extension BoundExpression {
  /// A number as a decimal one where it is compared with those, and an integer as a real.
  func spelt(like kind: Kind) -> BoundExpression {
    guard kind == .decimal, case .constant(let scalar) = self else { return self }
    switch scalar {
    case .integer(let value): return .decimal("\(value)")
    case .real(let value): return DecimalNumber("\(value)") == nil ? self : .decimal("\(value)")
    case .text(let text):
      if text == "NaN" { return .constant(.null) }
      return DecimalNumber(text) == nil ? self : .decimal(text)
    case .null, .blob: return self
    }
  }
}

extension QueryExpression {
  /// The expression as something to sort by.
  /// - Throws: `query.…`, also for what has no order.
  func sortable(by binder: PredicateBinder) throws -> BoundExpression {
    let entity = binder.entity
    let value: BoundExpression
    if case .property(let path) = self, path.steps.count == 1 {
      let property = try PredicateNode.property(path.steps[0], entity)
      if property.kind == .toOne || property.kind == .toMany { throw unordered(entity) }
      value = .attribute(try PredicateNode.attribute(path.steps[0], entity))
    } else {
      value = try bound(
        to: entity, storeNumber: binder.storeNumber, hasGroups: binder.hasGroups)
    }
    if case .reference = value.kind { throw unordered(entity) }
    return value
  }

  private func unordered(_ entity: EntityLayout) -> CauldronError {
    CauldronError.mismatch(
      entity, "objects have no order: \(self)", hint: "Sort by one of their attributes.")
  }
}
