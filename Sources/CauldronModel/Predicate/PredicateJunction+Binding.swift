extension PredicateJunction {
  /// Resolves the keys of all conditions; negations are carried to the single conditions.
  func bound(
    to entity: EntityLayout, _ storeNumber: Int32?, isNegated: Bool
  ) throws -> BoundPredicate {
    guard !isTooDeep else {
      throw CauldronError(
        .queryUnsupported,
        "\(entity.name): a condition has more than \(Self.greatestDepth) levels of AND in OR and OR"
          + " in AND.", hint: "Fetch in parts, or filter the fetched objects."
      ).with { $0.entity = entity.name }
    }
    let isNegated = isNegated != self.isNegated
    var terms = TermList(isAll: (kind == .all) != isNegated)
    for node in conditions {
      terms.add(try node.bound(to: entity, storeNumber, isNegated: isNegated))
    }
    return terms.predicate
  }
}
