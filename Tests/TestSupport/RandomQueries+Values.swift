package import CauldronModel
package import CauldronQuery
import Foundation

extension RandomQueries {
  /// A path of to-one relationships to a property that is wanted; nil where none is found.
  mutating func path(
    _ entity: EntityLayout, where isWanted: (PropertyLayout) -> Bool
  ) -> QueryExpression? {
    var last: PropertyLayout?
    return path(entity, where: isWanted, &last)
  }

  mutating func path(
    _ entity: EntityLayout, where isWanted: (PropertyLayout) -> Bool,
    _ last: inout PropertyLayout?
  ) -> QueryExpression? {
    var steps: [String] = []
    var layout = entity
    for _ in 0..<3 where random.once(in: 3) {
      let toOnes = layout.properties.filter { $0.kind == .toOne }
      guard !toOnes.isEmpty else { break }
      let step = random.pick(toOnes)
      guard let next = step.destination?.entity else { break }
      steps.append(step.name)
      layout = next
    }
    let wanted = layout.properties.filter(isWanted)
    guard !wanted.isEmpty else { return nil }
    let end = random.pick(wanted)
    last = end
    return .property(PropertyPath(steps: steps + [end.name]))
  }

  /// An expression whose values are numbers.
  package mutating func number(_ entity: EntityLayout, depth: Int) -> QueryExpression {
    guard depth > 0 else { return plainNumber(entity) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      let operation = random.pick(
        [QueryExpression.Arithmetic.add, .subtract, .multiply, .divide])
      return .arithmetic(
        operation, number(entity, depth: depth - 1), number(entity, depth: depth - 1))
    case 2:
      return .arithmetic(
        .remainder, whole(entity), .value(.integer(random.pick([-3, -1, 0, 2, 7]))))
    case 3: return .function(function(.numberToNumber), number(entity, depth: depth - 1))
    case 4: return .function(function(.textToInteger), text(entity, depth: depth - 1))
    case 5, 6: return aggregate(entity, depth: depth - 1) ?? plainNumber(entity)
    default:
      return .conditional(
        predicate(entity, depth: depth - 1), number(entity, depth: depth - 1),
        number(entity, depth: depth - 1))
    }
  }

  /// One of the functions that take and give something.
  private mutating func function(
    _ signature: QueryExpression.Function.Signature
  ) -> QueryExpression.Function { random.pick(QueryExpression.Function.all(signature)) }

  private mutating func plainNumber(_ entity: EntityLayout) -> QueryExpression {
    if random.once(in: 3) { return .value(numberValue()) }
    return path(entity) {
      $0.attributeType != nil && [.integer, .real].contains($0.storageClass)
    } ?? .value(numberValue())
  }

  private mutating func whole(_ entity: EntityLayout) -> QueryExpression {
    path(entity) { $0.attributeType == .integer64 } ?? .value(.integer(7))
  }

  private mutating func aggregate(_ entity: EntityLayout, depth: Int) -> QueryExpression? {
    var last: PropertyLayout?
    guard case .property(let path)? = path(entity, where: { $0.kind == .toMany }, &last),
      let destination = last?.destination?.entity
    else { return nil }
    let condition = random.once(in: 3) ? predicate(destination, depth: depth) : nil
    // Sums are of what has few digits, so that none is too large, and no order changes one.
    let small = destination.properties.filter { ["size", "level", "number"].contains($0.name) }
    let value = QueryExpression.property(
      PropertyPath(steps: [small.isEmpty ? "" : random.pick(small).name]))
    switch random.pick([QueryExpression.Aggregate.count, .sum, .minimum, .maximum, .average]) {
    case .sum where !small.isEmpty:
      return .aggregate(.sum, of: path, value, where: condition)
    case .average where !small.isEmpty:
      return .aggregate(.average, of: path, value, where: condition)
    case .minimum:
      return .aggregate(.minimum, of: path, whole(destination), where: condition)
    case .maximum:
      let number = QueryExpression.arithmetic(
        .multiply, whole(destination), number(destination, depth: depth))
      return .aggregate(.maximum, of: path, number, where: condition)
    default: return .aggregate(.count, of: path, nil, where: condition)
    }
  }

  /// An expression whose values are texts.
  package mutating func text(_ entity: EntityLayout, depth: Int) -> QueryExpression {
    if depth > 0 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: return .function(function(.textToText), text(entity, depth: depth - 1))
      case 2:
        return .conditional(
          predicate(entity, depth: depth - 1), text(entity, depth: depth - 1),
          text(entity, depth: depth - 1))
      default: break
      }
    }
    if random.once(in: 4) { return .value(textValue()) }
    return path(entity) { $0.attributeType == .string } ?? .value(textValue())
  }

  /// The texts that rows have and conditions name.
  package static let texts = [
    "", "a", "A", "ab", "Abc", "b", "ä", "a\u{308}", "Ä", "é", "e\u{301}", "🙂", "👨‍👩‍👧", "a*b", "100%",
    "café", "straße", "STRASSE", "한국",
  ]

  /// The integers that rows have and conditions name.
  package static let integers: [Int64] = [-1, 0, 1, 5, 60, .max, .min, 1 << 53 + 1]

  /// The reals that rows have and conditions name.
  package static let reals = [-1.5, 0, -0.0, 0.5, 5, 60, 0x1p53, .infinity, -.infinity]

  package mutating func textValue() -> AttributeScalar {
    random.once(in: 8) ? .null : .text(random.pick(Self.texts))
  }

  package mutating func numberValue() -> AttributeScalar {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .null
    case 1, 2, 3: .real(random.pick(Self.reals))
    default: .integer(random.pick(Self.integers))
    }
  }
}
