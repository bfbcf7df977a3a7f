extension PredicateJunction {
  /// Resolves the keys of all conditions; negations are carried to the single conditions.
  func bound(
    to entity: EntityLayout, _ storeNumber: Int32?, isNegated: Bool
  ) throws -> BoundPredicate {
    guard !isTooDeep else { throw CauldronError.tooDeep(entity) }
    let isNegated = isNegated != self.isNegated
    var terms = TermList(isAll: (kind == .all) != isNegated)
    for node in conditions {
      terms.add(try node.bound(to: entity, storeNumber, isNegated: isNegated))
    }
    return terms.predicate
  }
}
