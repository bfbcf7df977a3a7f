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
      return try bindComparison(a, comparison, b, options)
    case .text(let a, let search, let b, let options):
      return try bindSearch(a, search, b, options)
    case .isIn(let value, let list, let options): return try bindList(value, list, options)
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
      return try bindQuantified(quantifier, path, condition)
    case .joined(let junction): return try junction.bound(by: self, isNegated: false)
    }
  }

  func bindQuantified(
    _ quantifier: PredicateNode.Quantifier, _ path: PropertyPath, _ condition: PredicateNode
  ) throws -> BoundPredicate {
    if path.steps.isEmpty { return try bindOpen(quantifier, condition) }
    let exists = try some(path.steps[...], condition, isNegated: quantifier == .all)
    return quantifier == .any ? exists : exists.negated
  }

  /// Whether a condition, or its opposite, holds for one of the objects that a path leads to.
  private func some(
    _ steps: ArraySlice<String>, _ condition: PredicateNode, isNegated: Bool
  ) throws -> BoundPredicate {
    guard let first = steps.first else { return try bind(condition, isNegated: isNegated) }
    let property = try relationship(first)
    let inner = try following(property).some(
      steps.dropFirst(), condition, isNegated: isNegated)
    if case .constant(false) = inner { return inner }
    return .exists(property, inner)
  }

  /// A condition on the last step of a path of to-one relationships, false where they lead nowhere.
  func along(
    _ path: PropertyPath, _ body: (PredicateBinder, String) throws -> BoundPredicate
  ) throws -> BoundPredicate {
    guard let first = path.steps.first else {
      throw CauldronError.mismatch(entity, "the object itself is compared with objects alone")
    }
    if path.steps.count == 1 { return try body(self, first) }
    let property = try step(first, of: path)
    let inner = try following(property).along(path.dropFirst, body)
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
