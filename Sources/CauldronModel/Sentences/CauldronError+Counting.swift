extension CauldronError {
  /// A relationship that leads to too few or too many objects.
  package static func miscounted(
    _ failure: CountFailure, _ id: ManagedObjectID, _ entity: EntityLayout,
    _ relationship: PropertyLayout
  ) -> CauldronError {
    let name = "\(entity.name).\(relationship.name)"
    let error =
      switch failure {
      case .tooFew(let least):
        CauldronError(.validationTooFew, "\(name) must lead to at least \(objects(least)).")
      case .tooMany(let most):
        CauldronError(.validationTooMany, "\(name) must lead to at most \(objects(most)).")
      }
    return error.with {
      $0.entity = entity.name
      $0.property = relationship.name
      $0.objectIDs = [id]
    }
  }

  private static func objects(_ count: Int) -> String {
    count == 1 ? "1 object" : "\(count) objects"
  }
}
