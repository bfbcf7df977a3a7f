import CauldronModel

extension CauldronError {
  /// Nothing says that there is at most one object with the values.
  static func notUniqueKey(
    of entity: EntityLayout, names: [String]
  ) -> CauldronError {
    let paths = names.map { "\\.\($0)" }.joined(separator: ", ")
    return CauldronError(
      .queryUnsupported,
      "Cannot find or create \(entity.name) by \(names.joined(separator: ", ")): nothing marks it as unique.",
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

  /// An object of another entity of the hierarchy has the unique values.
  /// - Parameter object: The object; nil where another context has created it, and it is not saved yet.
  static func otherEntity(
    _ entity: EntityLayout, names: [String], object: ManagedObject?
  ) -> CauldronError {
    let found =
      object.map { "\($0.layout.name) \($0.objectID) has the value" }
      ?? "an unsaved object of another entity has the value"
    return CauldronError(
      .queryTypeMismatch,
      "Cannot find or create \(entity.name) by \(names.joined(separator: ", ")): \(found).",
      hint:
        "Look for \(object?.layout.name ?? "an object of the superentity"), or take another value."
    ).with {
      $0.entity = entity.name
      $0.property = names.first
      $0.objectIDs = object.map { [$0.objectID] } ?? []
    }
  }

  /// Nil is equal to nothing, so that nothing can be found by it.
  static func notFindable(
    _ entity: EntityLayout, by names: [String]
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
