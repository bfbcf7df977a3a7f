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
