extension CauldronError {
  /// Somebody wants to set what the store computes.
  package static func derived(_ property: PropertyLayout, of entity: EntityLayout) -> CauldronError
  {
    CauldronError(
      .queryUnsupported,
      "\(entity.name).\(property.name) is derived from \"\(property.derivation ?? "")\" by the store and"
        + " cannot be set.", hint: "Change what it is derived from."
    ).with {
      $0.entity = entity.name
      $0.property = property.name
    }
  }
}
