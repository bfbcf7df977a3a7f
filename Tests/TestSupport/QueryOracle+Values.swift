package import CauldronModel
package import CauldronQuery
import Foundation

extension QueryOracle {
  /// What an expression is worth for a row.
  package func value(_ expression: QueryExpression, _ row: OracleRow) -> AttributeScalar {
    switch expression {
    case .value(let scalar): return plain(scalar)
    case .property(let path): return reached(path.steps, row)
    case .arithmetic(let operation, let a, let b):
      return calculated(operation, value(a, row), value(b, row))
    case .function(let function, let argument): return called(function, value(argument, row))
    case .aggregate(let aggregate, let path, let inner, let condition):
      let all = objects(path.steps, row).filter { object in
        condition.map { holds($0, object) } ?? true
      }
      return gathered(aggregate, all.map { row in inner.map { value($0, row) } ?? .integer(0) })
    case .conditional(let condition, let a, let b):
      return holds(condition, row) ? value(a, row) : value(b, row)
    }
  }

  /// The value at the end of a path.
  func reached(_ steps: [String], _ row: OracleRow) -> AttributeScalar {
    guard steps.count > 1 else { return plain(row.values[steps[0]] ?? .null, steps[0], row.entity) }
    return targets(steps[0], row).first.map { reached(Array(steps.dropFirst()), $0) } ?? .null
  }

  /// All objects that a path leads to; one as often as it does.
  func objects(_ steps: [String], _ row: OracleRow) -> [OracleRow] {
    guard let first = steps.first else { return [row] }
    return targets(first, row).flatMap { objects(Array(steps.dropFirst()), $0) }
  }

  /// The objects that a relationship leads to.
  func targets(_ name: String, _ row: OracleRow) -> [OracleRow] {
    let property = model.entity(row.entity).property(name)
    guard let destination = property.destination else { return [] }
    let family = Set(destination.entity.family.map(\.entity.name))
    let candidates = world.filter { family.contains($0.entity) }
    if property.kind == .toOne {
      return candidates.filter { .integer($0.key) == row.values[name] }
    }
    if property.join != nil {
      return candidates.filter { row.links[name, default: []].contains($0.key) }
    }
    let inverse = destination.entity.properties[destination.inverse].name
    return candidates.filter { $0.values[inverse] == .integer(row.key) }
  }

  func isToMany(_ name: String, _ row: OracleRow) -> Bool {
    model.entity(row.entity).property(name).kind == .toMany
  }

  func isDecimal(_ expression: QueryExpression, _ entity: String) -> Bool {
    guard case .property(let path) = expression, let last = path.steps.last else { return false }
    var layout = model.entity(entity)
    for step in path.steps.dropLast() {
      guard let next = layout.property(step).destination?.entity else { return false }
      layout = next
    }
    return layout.property(last).attributeType == .decimal
  }

  /// NaN counts as nil.
  func plain(_ value: AttributeScalar) -> AttributeScalar {
    if case .real(let number) = value, number.isNaN { return .null }
    return value
  }

  /// Decimals are told by an own spelling.
  private func plain(_ value: AttributeScalar, _ key: String, _ entity: String) -> AttributeScalar {
    let type = model.entity(entity).property(key).attributeType
    guard case .text(let text) = value, type == .decimal else { return plain(value) }
    return Decimal(string: text).map { .real(NSDecimalNumber(decimal: $0).doubleValue) } ?? .null
  }

  private func calculated(
    _ operation: QueryExpression.Arithmetic, _ a: AttributeScalar, _ b: AttributeScalar
  ) -> AttributeScalar {
    if case .integer(let x) = a, case .integer(let y) = b {
      let (x, y) = (Int128(x), Int128(y))
      if y == 0, operation == .divide || operation == .remainder { return .null }
      let exact: Int128 =
        switch operation {
        case .add: x + y
        case .subtract: x - y
        case .multiply: x * y
        case .divide: x / y
        case .remainder: x % y
        case .bitAnd: x & y
        case .bitOr: x | y
        case .bitXor: x ^ y
        }
      if let small = Int64(exactly: exact) { return .integer(small) }
    }
    guard let x = double(a), let y = double(b), !operation.isOfIntegers else { return .null }
    if operation == .divide, y == 0 { return .null }
    let result =
      switch operation {
      case .add: x + y
      case .subtract: x - y
      case .multiply: x * y
      case .divide, .remainder, .bitAnd, .bitOr, .bitXor: x / y
      }
    return plain(.real(result))
  }

  func double(_ value: AttributeScalar) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  private func called(
    _ function: QueryExpression.Function, _ value: AttributeScalar
  ) -> AttributeScalar {
    switch (function, value) {
    case (.absolute, .integer(let number)):
      return calculated(.subtract, .integer(number < 0 ? 0 : number), .integer(min(number, 0)))
    case (.absolute, .real(let number)): return .real(number.magnitude)
    case (.floor, .integer): return value
    case (.floor, .real(let number)):
      let whole = number.rounded(.towardZero)
      return .real(whole > number ? whole - 1 : whole)
    case (.lowercase, .text(let text)): return .text(text.lowercased())
    case (.uppercase, .text(let text)): return .text(text.uppercased())
    case (.length, .text(let text)): return .integer(Int64(Array(text.utf16).count))
    case (.absolute, _), (.floor, _), (.lowercase, _), (.uppercase, _), (.length, _): return .null
    }
  }

  /// What is gathered from the rows of a group.
  package func gathered(_ expression: QueryExpression, _ rows: [OracleRow]) -> AttributeScalar {
    guard case .aggregate(let aggregate, _, let inner, _) = expression else { return .null }
    return gathered(aggregate, rows.map { row in inner.map { value($0, row) } ?? .integer(0) })
  }

  /// Sums of reals are of numbers that have few digits, so that no order changes them.
  private func gathered(
    _ aggregate: QueryExpression.Aggregate, _ values: [AttributeScalar]
  ) -> AttributeScalar {
    let values = values.filter { !$0.isNull }
    switch aggregate {
    case .count: return .integer(Int64(values.count))
    case .minimum: return values.min { order($0, $1) < 0 } ?? .null
    case .maximum: return values.max { order($0, $1) < 0 } ?? .null
    case .sum, .average:
      if aggregate == .average, values.isEmpty { return .null }
      let whole = values.reduce(Int128(0)) { sum, value in
        if case .integer(let number) = value { sum + Int128(number) } else { sum }
      }
      let hasReal = values.contains { if case .real = $0 { true } else { false } }
      if aggregate == .sum, !hasReal { return .integer(Int64(whole)) }
      let reals = values.reduce(0.0) { sum, value in
        if case .real(let number) = value { sum + number } else { sum }
      }
      let total = Double(whole) + reals
      return plain(.real(aggregate == .sum ? total : total / Double(values.count)))
    }
  }
}
