package import CauldronModel
package import CauldronQuery
import Foundation

/// Random conditions and expressions about the entities of any model, of every kind that the tree
/// has.
package struct RandomQueries {
  package var random: SeededGenerator
  /// The objects that conditions name, by the name of their root entity.
  package var ids: [String: [ManagedObjectID]] = [:]

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A condition on the objects of an entity.
  package mutating func predicate(_ entity: EntityLayout, depth: Int) -> PredicateNode {
    if depth > 0, random.once(in: 3) {
      let count = Int.random(in: 0...3, using: &random)
      let list = (0..<count).map { _ in predicate(entity, depth: depth - 1) }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return .and(list)
      case 1: return .or(list)
      default: return .not(predicate(entity, depth: depth - 1))
      }
    }
    if depth > 0, random.once(in: 3), let relationship = relationship(entity) {
      return quantified(relationship, depth: depth - 1)
    }
    return leaf(entity, depth: depth)
  }

  /// What to sort by: mostly an attribute, sometimes one behind relationships or a calculation.
  package mutating func sortKey(_ entity: EntityLayout) -> QueryExpression {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return number(entity, depth: 2)
    case 1: return text(entity, depth: 1)
    case 2:
      return path(entity) { $0.attributeType != nil && $0.storageClass != .blob } ?? .value(.null)
    default:
      let own = entity.properties.filter { $0.attributeType != nil && $0.storageClass != .blob }
      return .property(PropertyPath(steps: [random.pick(own).name]))
    }
  }

  private mutating func relationship(_ entity: EntityLayout) -> PropertyLayout? {
    let all = entity.properties.filter { $0.destination != nil }
    return all.isEmpty ? nil : random.pick(all)
  }

  private mutating func quantified(_ property: PropertyLayout, depth: Int) -> PredicateNode {
    let quantifier = random.pick([PredicateNode.Quantifier.any, .all, .none])
    guard let destination = property.destination?.entity else { return .constant(true) }
    // Sometimes through two relationships at once.
    if random.once(in: 4), let next = relationship(destination),
      let last = next.destination?.entity
    {
      let path = PropertyPath(steps: [property.name, next.name])
      return .quantified(quantifier, path, predicate(last, depth: depth))
    }
    let path = PropertyPath(steps: [property.name])
    return .quantified(quantifier, path, predicate(destination, depth: depth))
  }

  private static let comparisons: [PredicateNode.ComparisonOperator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  private mutating func leaf(_ entity: EntityLayout, depth: Int) -> PredicateNode {
    let comparison = random.pick(Self.comparisons)
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return .constant(random.once(in: 2))
    case 1: return .isSelf(pick(entity))
    case 2:
      guard let to = path(entity, where: { $0.destination != nil }) else { fallthrough }
      return refers(to, entity)
    case 3:
      let any = path(entity) { $0.kind == .toOne || $0.attributeType != nil }
      guard case .property(let path)? = any else { fallthrough }
      return .isNil(path)
    case 4, 5:
      return .comparison(
        number(entity, depth: depth), comparison, number(entity, depth: depth), [])
    case 6:
      return .comparison(
        text(entity, depth: depth), comparison, text(entity, depth: depth), options())
    case 7, 8: return search(entity, depth)
    case 9:
      return .isIn(text(entity, depth: depth), (0..<3).map { _ in textValue() }, options())
    case 10:
      return .isIn(number(entity, depth: depth), (0..<3).map { _ in numberValue() }, [])
    case 11:
      return .between(
        number(entity, depth: 0), .value(numberValue()), number(entity, depth: depth))
    default: return simple(entity, comparison)
    }
  }

  /// Compares an attribute, perhaps behind relationships, with a value of its type.
  private mutating func simple(
    _ entity: EntityLayout, _ comparison: PredicateNode.ComparisonOperator
  ) -> PredicateNode {
    var last: PropertyLayout?
    guard case .property(let path)? = path(entity, where: { $0.attributeType != nil }, &last),
      let last
    else { return .constant(true) }
    let value: AttributeScalar
    switch (last.form, last.storageClass) {
    case (.decimal, _): value = random.pick(["0", "1.5", "-3", "1e3"].map { .text($0) } + [.null])
    case (_, .text): value = textValue()
    case (_, .blob): value = random.pick([.blob(Data()), .blob(Data([0, 1])), .null])
    default: value = numberValue()
    }
    if random.once(in: 4) { return .isIn(.property(path), [value, .null], []) }
    return .comparison(.property(path), comparison, .value(value), [])
  }

  private mutating func refers(_ path: QueryExpression, _ entity: EntityLayout) -> PredicateNode {
    guard case .property(let path) = path else { return .constant(false) }
    var layout = entity
    for step in path.steps {
      guard let next = layout.property(step).destination?.entity else { return .constant(false) }
      layout = next
    }
    return .refersTo(path, pick(layout))
  }

  private mutating func pick(_ entity: EntityLayout) -> [ManagedObjectID] {
    let all = ids[entity.root.name] ?? []
    return all.isEmpty ? [] : (0..<3).map { _ in random.pick(all) }
  }

  private mutating func search(_ entity: EntityLayout, _ depth: Int) -> PredicateNode {
    let searches: [PredicateNode.TextOperator] = [
      .beginsWith, .contains, .endsWith, .like, .matches,
    ]
    let search = random.pick(searches)
    let patterns =
      switch search {
      case .like: ["a*", "*b*", "?", "??", "A?*", "*", "\\*", "*a*b*", "", "caf?", "*ß?", "*e"]
      case .matches:
        ["a.*", "[ab]+", "(a|b)?c", ".", "", "a{1,2}b?", ".*B.*", "[^a]", "strasse", "é"]
      default: ["", "a", "B", "ab", "ä", "\u{308}", "e", "ss", "하"]
      }
    let pattern = random.pick(patterns)
    return .text(
      text(entity, depth: depth), search, .value(random.once(in: 12) ? .null : .text(pattern)),
      options(), isPattern: search == .matches)
  }

  private mutating func options() -> TextOptions {
    random.pick([[], [], .ignoringCase, .ignoringDiacritics, .ignoringCaseAndDiacritics])
  }
}

extension PredicateNode {
  /// MATCHES takes no nil.
  fileprivate static func text(
    _ a: QueryExpression, _ search: TextOperator, _ b: QueryExpression, _ options: TextOptions,
    isPattern: Bool
  ) -> PredicateNode {
    if isPattern, b == .value(.null) { return .constant(false) }
    return .text(a, search, b, options)
  }
}
