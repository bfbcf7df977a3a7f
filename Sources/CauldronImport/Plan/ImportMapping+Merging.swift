import CauldronModel

extension PlanCompiler {
  /// What the options say of an entity, and of those above it.
  func mapping(of entity: EntityLayout) -> ImportMapping? {
    if options.mappings.isEmpty { return nil }
    let above = entity.superentity.flatMap(mapping)
    guard let own = options.mappings[entity.name] else { return above }
    return above.map(own.over) ?? own
  }
}

extension ImportMapping {
  /// The same, and what that of the superentity says of all that this one says nothing of.
  fileprivate func over(_ other: ImportMapping) -> ImportMapping {
    var merged = self
    if key == nil, !alwaysInserts {
      (merged.key, merged.alwaysInserts) = (other.key, other.alwaysInserts)
    }
    merged.attributes.merge(other.attributes) { $0.over($1) }
    merged.relationships.merge(other.relationships) { $0.over($1) }
    return merged
  }
}
