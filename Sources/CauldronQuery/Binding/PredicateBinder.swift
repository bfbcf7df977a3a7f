package import CauldronModel
import Foundation

/// Resolves the paths of a condition against an entity, and checks what is compared with what.
struct PredicateBinder {
  let entity: EntityLayout
  /// The store that is asked; nil where objects' IDs are of no other one.
  let storeNumber: Int32?
  /// Whether an aggregate of `SELF` gathers the rows of a group.
  var hasGroups = false

  /// The binder for what a relationship leads to.
  func following(_ property: PropertyLayout) throws -> PredicateBinder {
    guard let destination = property.destination?.entity else {
      throw CauldronError.unsupported(
        entity, property.name, "\(property.name) leads to no entity of the model")
    }
    return PredicateBinder(entity: destination, storeNumber: storeNumber)
  }

  func bind(_ node: PredicateNode, isNegated: Bool = false) throws -> BoundPredicate {
    if case .joined(let junction) = node {
      return try junction.bound(by: self, isNegated: isNegated)
    }
    let condition = try bindAlone(node)
    return isNegated ? condition.negated : condition
  }

  /// A condition by itself.
  private func bindAlone(_ node: PredicateNode) throws -> BoundPredicate {
    switch node {
    case .constant(let value): return .constant(value)
    case .comparison(let a, let comparison, let b, let options):
      return try bindComparison(of: a, by: comparison, with: b, options: options)
    case .text(let a, let search, let b, let options):
      return try bindSearch(in: a, by: search, for: b, options: options)
    case .isIn(let value, let list, let options):
      return try bindList(value, among: list, options: options)
    case .isNil(let path): return try isNil(path)
    case .refersTo(let path, let ids):
      return try along(path) { binder, name in
        let property = try binder.comparable(name)
        let keys = try binder.following(property).keys(ids)
        // The objects of a to-many relationship are asked one by one.
        return property.kind == .toMany
          ? .exists(property, .isSelf(keys)) : .refersTo(property, keys)
      }
    case .isSelf(let ids): return .isSelf(keys(ids))
    case .quantified(let quantifier, let path, let condition):
      return try bindQuantified(quantifier, of: path, where: condition)
    case .joined(let junction): return try junction.bound(by: self, isNegated: false)
    }
  }

  func bindQuantified(
    _ quantifier: PredicateNode.Quantifier, of path: PropertyPath, where condition: PredicateNode
  ) throws -> BoundPredicate {
    if path.steps.isEmpty { return try bindOpen(quantifier, where: condition) }
    let exists = try some(along: path.steps[...], where: condition, isNegated: quantifier == .all)
    return quantifier == .any ? exists : exists.negated
  }

  /// Whether a condition, or its opposite, holds for one of the objects that a path leads to.
  private func some(
    along steps: ArraySlice<String>, where condition: PredicateNode, isNegated: Bool
  ) throws -> BoundPredicate {
    guard let first = steps.first else { return try bind(condition, isNegated: isNegated) }
    let property = try relationship(first)
    let inner = try following(property).some(
      along: steps.dropFirst(), where: condition, isNegated: isNegated)
    if case .constant(false) = inner { return inner }
    return .exists(property, inner)
  }

  /// A condition on the last step of a path of to-one relationships, false where they lead nowhere.
  func along(
    _ path: PropertyPath, bind body: (PredicateBinder, String) throws -> BoundPredicate
  ) throws -> BoundPredicate {
    let path = path.steps.count > 1 ? path.joiningElements(of: entity) : path
    guard let first = path.steps.first else {
      throw CauldronError.mismatch(entity, "the object itself is compared with objects alone")
    }
    if path.steps.count == 1 { return try body(self, first) }
    let property = try step(first, of: path)
    let inner = try following(property).along(path.dropFirst, bind: body)
    if case .constant(false) = inner { return inner }
    return .exists(property, inner)
  }

  private func isNil(_ path: PropertyPath) throws -> BoundPredicate {
    try along(path) { binder, name in
      let property = try PredicateNode.property(name, binder.entity)
      guard property.kind != .toOne else { return .not(.isNull(property)) }
      return .not(.isNull(try PredicateNode.attribute(name, binder.entity)))
    }.negated
  }

  /// The keys of those objects that are of the entity, and of the store; others have keys of other
  /// tables.
  func keys(_ ids: [ManagedObjectID]) -> Set<Int64> {
    Set(
      ids.lazy.filter { id in
        entity.includes(id.entityNumber) && storeNumber.map { $0 == id.storeNumber } ?? true
      }.map(\.key))
  }
}

extension PredicateNode {
  /// Resolves the keys against an entity.
  /// - Parameters:
  ///   - storeNumber: The store that is asked; nil where objects' IDs are of no other one.
  ///   - hasGroups: Whether it is one on groups, so that an aggregate of `SELF` gathers their rows.
  /// - Throws: `query.unknownKey`, `query.typeMismatch`, `query.tooDeep` or `query.unsupported`.
  /// - Complexity: O(conditions).
  package func bound(
    to entity: EntityLayout, storeNumber: Int32? = nil, hasGroups: Bool = false
  ) throws -> BoundPredicate {
    guard isFlat || depth <= PredicateJunction.greatestDepth else {
      throw CauldronError.tooDeep(entity)
    }
    return try PredicateBinder(
      entity: entity, storeNumber: storeNumber, hasGroups: hasGroups
    ).bind(self)
  }

  /// Whether there is surely nothing within the condition.
  private var isFlat: Bool {
    switch self {
    case .isSelf, .constant: true
    case .refersTo(let path, _), .isNil(let path), .comparison(.property(let path), _, .value, _):
      path.depth == 0
    default: false
    }
  }

  static func bindList(
    _ name: String, among values: [AttributeScalar], in entity: EntityLayout
  ) throws -> BoundPredicate {
    let property = try attribute(name, entity)
    for value in values { try check(value, for: property, of: entity) }
    let all = Set(values.map { normal($0, for: property) }.filter { !isBeside($0, for: property) })
    let any = BoundPredicate.isIn(property, all.subtracting([.null]))
    return all.contains(.null) ? .or([any, .isNull(property)]) : any
  }

  static func bindComparison(
    of property: PropertyLayout, by comparison: ComparisonOperator, with scalar: AttributeScalar,
    in entity: EntityLayout
  ) throws -> BoundPredicate {
    try check(scalar, for: property, of: entity)
    let scalar = normal(scalar, for: property)
    if case .integer(let value) = scalar, isBeside(scalar, for: property) {
      return beside(property, by: comparison, with: value)
    }
    guard scalar.isNull else {
      // A number that no decimal can be is on one side of all of them.
      if property.form == .decimal, case .text(let text) = scalar, DecimalNumber(text) == nil {
        let number = AttributeScalar.real(Double(text) ?? 0)
        return .compare(.attribute(property), comparison, .constant(number))
      }
      return .comparison(property, comparison, scalar)
    }
    switch comparison {
    case .equal: return .isNull(property)
    case .notEqual: return .not(.isNull(property))
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return .constant(false)
    }
  }

  /// An integer that is compared with a real attribute becomes a real, if there is one; what is
  /// compared with decimals is spelt as they are, and NaN counts as nil.
  private static func normal(
    _ scalar: AttributeScalar, for property: PropertyLayout
  ) -> AttributeScalar {
    switch scalar {
    case .integer(let value) where property.storageClass == .real:
      Int64(exactly: Double(value)) == value ? .real(Double(value)) : scalar
    case .real(let value) where value.isNaN: .null
    case .integer(let value) where property.form == .decimal: .text("\(value)")
    case .real(let value) where property.form == .decimal: .text("\(value)")
    case .text("NaN") where property.form == .decimal: .null
    default: scalar
    }
  }

  /// Whether a value is an integer between two reals, which no real attribute can have.
  private static func isBeside(_ scalar: AttributeScalar, for property: PropertyLayout) -> Bool {
    if case .integer = scalar { property.storageClass == .real } else { false }
  }

  /// Compares a real attribute with an integer between two reals: it is on the side of the integer
  /// on which the nearest real is, or on the other one.
  private static func beside(
    _ property: PropertyLayout, by comparison: ComparisonOperator, with value: Int64
  ) -> BoundPredicate {
    let nearest = Double(value)
    let isAbove = nearest >= 0x1p63 || Int64(nearest) > value
    switch comparison {
    case .equal: return .constant(false)
    case .notEqual: return .constant(true)
    case .less, .lessOrEqual:
      return .comparison(property, isAbove ? .less : .lessOrEqual, .real(nearest))
    case .greater, .greaterOrEqual:
      return .comparison(property, isAbove ? .greaterOrEqual : .greater, .real(nearest))
    }
  }
}

extension QueryExpression {
  /// Resolves the paths against an entity.
  /// - Parameter hasGroups: Whether an aggregate of `SELF` gathers the rows of a group.
  /// - Throws: `query.…`.
  package func bound(
    to entity: EntityLayout, storeNumber: Int32? = nil, hasGroups: Bool = false
  ) throws -> BoundExpression {
    guard depth <= PredicateJunction.greatestDepth else { throw CauldronError.tooDeep(entity) }
    return try PredicateBinder(
      entity: entity, storeNumber: storeNumber, hasGroups: hasGroups
    ).bind(self)
  }
}

extension PredicateJunction {
  /// Resolves the keys of all conditions; negations are carried to the single conditions.
  func bound(by binder: PredicateBinder, isNegated: Bool) throws -> BoundPredicate {
    guard !isTooDeep else { throw CauldronError.tooDeep(binder.entity) }
    let isNegated = isNegated != self.isNegated
    var terms = TermList(isAll: (kind == .all) != isNegated)
    for node in conditions {
      terms.add(try binder.bind(node, isNegated: isNegated))
    }
    return terms.predicate
  }
}

extension PredicateBinder {
  /// The to-one relationship that a path goes through.
  func step(_ name: String, of path: PropertyPath) throws -> PropertyLayout {
    let property = try relationship(name)
    guard property.kind == .toOne else {
      throw CauldronError.unsupported(
        entity, path.text,
        "the path \"\(path.text)\" leads through \(name), which is to-many",
        hint: "Ask of any, all or none of the objects: { $0.\(name).any { … } }.")
    }
    return property
  }

  /// A relationship of the entity.
  func relationship(_ name: String) throws -> PropertyLayout {
    let property = try PredicateNode.property(name, entity)
    switch property.kind {
    case .toOne, .toMany: return property
    case .transient where property.isComposite:
      let elements = entity.elements(of: property).map(\.name).joined(separator: ", ")
      throw CauldronError.mismatch(
        entity, "\(name) is composite, and has no such element", hint: "It has \(elements)."
      ).with { $0.property = name }
    case .attribute, .transient:
      throw CauldronError.mismatch(
        entity, "\(name) is not a relationship; it leads to no object and has no properties",
        hint: property.attributeType == .string
          ? "Of texts there are length:(\(name)), lowercase:(\(name)) and uppercase:(\(name))." : ""
      ).with { $0.property = name }
    }
  }

  /// Whether a path ends with a relationship, or has no steps.
  func leadsToObject(_ path: PropertyPath) throws -> Bool {
    guard let first = path.steps.first else { return true }
    let property = try PredicateNode.property(first, entity)
    guard property.kind == .toOne || property.kind == .toMany else { return false }
    return try path.steps.count == 1 || following(property).leadsToObject(path.dropFirst)
  }

  /// A relationship whose objects are compared with others.
  func comparable(_ name: String) throws -> PropertyLayout {
    let property = try PredicateNode.property(name, entity)
    guard property.kind == .toOne || property.kind == .toMany else {
      throw CauldronError(
        .queryTypeMismatch,
        "\(entity.name).\(name) is not a relationship; it cannot be compared with an object.")
    }
    return property
  }
}

extension PredicateBinder {
  /// Asks of the objects of the to-many relationship that the paths of a condition lead through.
  func bindOpen(
    _ quantifier: PredicateNode.Quantifier, where condition: PredicateNode
  ) throws -> BoundPredicate {
    let name = quantifier.rawValue
    let path = try firstPath(of: condition)
    let objects = try objects(of: path)
    guard !objects.steps.isEmpty else {
      throw CauldronError.mismatch(
        entity,
        "\(name) asks of the objects of a to-many relationship, and \(path.text) leads through none",
        hint: "Leave \(name) out.")
    }
    let inner = try condition.mappingPaths { other, _ in
      guard other.steps.starts(with: objects.steps) else {
        throw CauldronError.unsupported(
          entity, other.text,
          "\(name) asks of the objects of \(objects.text), and \(other.text) is none of their paths"
        )
      }
      return PropertyPath(steps: Array(other.steps.dropFirst(objects.steps.count)))
    }
    return try bindQuantified(quantifier, of: objects, where: inner)
  }

  /// The first path of a condition that can lead through the relationship.
  private func firstPath(of condition: PredicateNode) throws -> PropertyPath {
    var paths: [PropertyPath] = []
    _ = condition.mappingPaths { path, isGathered in
      // The last step of what is gathered has a quantity of its own.
      paths.append(isGathered ? PropertyPath(steps: Array(path.steps.dropLast())) : path)
      return path
    }
    return paths.first ?? PropertyPath(steps: [])
  }

  /// A path up to its last to-many relationship; without steps where there is none.
  private func objects(of path: PropertyPath) throws -> PropertyPath {
    var end = 0
    var binder = self
    for (index, step) in path.steps.enumerated() {
      let property = try PredicateNode.property(step, binder.entity)
      guard property.kind == .toOne || property.kind == .toMany else { break }
      if property.kind == .toMany { end = index + 1 }
      binder = try binder.following(property)
    }
    return PropertyPath(steps: Array(path.steps.prefix(end)))
  }
}
