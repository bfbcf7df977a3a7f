import CauldronModel

extension CauldronError {
  /// Nothing says that there is at most one object with the values.
  static func notUniqueKey(
    _ entity: EntityLayout, _ names: [String]
  ) -> CauldronError {
    let paths = names.map { "\\.\($0)" }.joined(separator: ", ")
    return CauldronError(
      .queryUnsupported,
      "Cannot find or create \(entity.name) by \(names.joined(separator: ", ")): it need not be unique.",
      hint: "Write #Unique<\(entity.name)>([\(paths)]) in the class."
    ).with {
      $0.entity = entity.name
      $0.property = names.first
    }
  }

  /// What would be created is of a subentity, and nobody has said which.
  static func isAbstract(_ entity: EntityLayout) -> CauldronError {
    CauldronError(
      .queryUnsupported, "Cannot find or create \(entity.name): it is abstract.",
      hint: "Ask for a class that has objects of its own."
    ).with { $0.entity = entity.name }
  }

  /// Nil is equal to nothing, so that nothing can be found by it.
  static func notFindable(
    _ entity: EntityLayout, _ names: [String]
  ) -> CauldronError {
    CauldronError(
      .queryUnsupported,
      "Cannot find or create \(entity.name): \(names.joined(separator: ", ")) is nil, which is equal to"
        + " nothing.", hint: "Create the object."
    ).with {
      $0.entity = entity.name
      $0.property = names.first
    }
  }
}
