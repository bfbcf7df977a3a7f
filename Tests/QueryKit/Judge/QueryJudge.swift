import CauldronModel
import CauldronQuery
import Foundation

/// Answers queries as slowly and plainly as it can: the third opinion, from the documentation alone.
struct QueryJudge {
  let world: QueryWorld
  /// Whether everything is evaluated, also where the answer is decided.
  var isEager = false
  /// Set when a sum of integers is beyond 64 bits.
  let notice = Notice()

  init(world: QueryWorld) { self.world = world }

  final class Notice {
    var hasOverflow = false
  }

  var schema: QuerySchema { world.schema }

  /// Whether a condition holds for an object.
  func holds(_ node: PredicateNode, _ object: QueryObject) -> Bool {
    switch node {
    case .constant(let value): return value
    case .joined(let junction):
      let isAll = junction.kind == .all
      let isDecided = some(junction.conditions) { holds($0, object) != isAll }
      return (isDecided != isAll) != junction.isNegated
    case .comparison(let a, let comparison, let b, let options):
      let (left, right) = pair(a, b, object.entity) { value($0, object) }
      return Self.holds(fold(left, options), comparison, fold(right, options))
    case .text(let a, let search, let b, let options):
      return finds(value(a, object), search, value(b, object), options)
    case .isIn(let a, let list, let options):
      return list.contains { other in
        let (left, right) = pair(a, .value(other), object.entity) { value($0, object) }
        return Self.holds(fold(left, options), .equal, fold(right, options))
      }
    case .isNil(let path): return reached(path.steps[...], object) == .nothing
    case .refersTo(let path, let ids):
      return objects(path.steps[...], object).contains { ids.contains($0.id) }
    case .isSelf(let ids): return ids.contains(object.id)
    case .quantified(let quantifier, let path, let condition):
      let (all, condition) =
        path.steps.isEmpty
        ? opened(condition, object) : (objects(path.steps[...], object), condition)
      switch quantifier {
      case .any: return some(all) { holds(condition, $0) }
      case .all: return !some(all) { !holds(condition, $0) }
      case .none: return !some(all) { holds(condition, $0) }
      }
    }
  }

  private func some<T>(_ all: [T], _ holds: (T) -> Bool) -> Bool {
    isEager ? all.map(holds).contains(true) : all.contains(where: holds)
  }

  /// Two values, in digits where one of them is a decimal.
  private func pair(
    _ a: QueryExpression, _ b: QueryExpression, _ entity: String, _ value: (QueryExpression) -> Cell
  ) -> (Cell, Cell) {
    let (left, right) = (value(a), value(b))
    guard isDecimal(a, entity) || isDecimal(b, entity) else { return (left, right) }
    return (left.inDigits, right.inDigits)
  }

  static func holds(
    _ a: Cell, _ comparison: PredicateNode.ComparisonOperator, _ b: Cell
  ) -> Bool {
    let order = Cell.order(a, b)
    switch comparison {
    case .equal: return order == 0
    case .notEqual: return order != 0
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      if a == .nothing || b == .nothing { return false }
    }
    return switch comparison {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    default: order >= 0
    }
  }

  /// The objects at the end of a path; one as often as it leads there.
  func objects(_ steps: ArraySlice<String>, _ object: QueryObject) -> [QueryObject] {
    guard let first = steps.first else { return [object] }
    return world.targets(first, object.id).flatMap { objects(steps.dropFirst(), $0) }
  }

  /// The value at the end of a path of to-one relationships.
  func reached(_ steps: ArraySlice<String>, _ object: QueryObject) -> Cell {
    guard let first = steps.first else { return .object(object.id) }
    if let type = schema.property(first, object.entity)?.type {
      return Cell(object.values[first] ?? .null, isDecimal: type == .decimal)
    }
    guard let next = world.targets(first, object.id).first else { return .nothing }
    return reached(steps.dropFirst(), next)
  }

  /// Whether an expression is a decimal attribute, or made of some.
  func isDecimal(_ expression: QueryExpression, _ entity: String) -> Bool {
    switch expression {
    case .property(let path): return type(path.steps[...], entity) == .decimal
    case .aggregate(.minimum, let path, let value?, _),
      .aggregate(.maximum, let path, let value?, _), .aggregate(.sum, let path, let value?, _):
      return destination(path.steps[...], entity).map { isDecimal(value, $0) } ?? false
    case .conditional(_, let a, let b): return isDecimal(a, entity) || isDecimal(b, entity)
    case .arithmetic(_, let a, let b): return isDecimal(a, entity) || isDecimal(b, entity)
    case .function(let function, let value):
      return function.signature == .numberToNumber && isDecimal(value, entity)
    case .value, .aggregate: return false
    }
  }

  func destination(_ steps: ArraySlice<String>, _ entity: String) -> String? {
    guard let first = steps.first else { return entity }
    return schema.property(first, entity)?.destination.flatMap {
      destination(steps.dropFirst(), $0)
    }
  }

  private func type(_ steps: ArraySlice<String>, _ entity: String) -> AttributeType? {
    guard let last = steps.last else { return nil }
    return destination(steps.dropLast(), entity).flatMap { schema.property(last, $0)?.type }
  }
}
