import CauldronModel

extension CauldronError {
  static func conflict(
    _ entity: EntityLayout, _ id: ManagedObjectID, _ what: String, _ fields: [String]
  ) -> CauldronError {
    let differ = fields.isEmpty ? "" : " Fields that differ: \(fields.joined(separator: ", "))."
    return CauldronError(.saveConflict, "Cannot save \(entity.name) \(id): \(what).\(differ)").with
    {
      $0.entity = entity.name
      $0.property = fields.first
      $0.objectIDs = [id]
    }
  }

  static func dependency(_ entity: EntityLayout, _ id: ManagedObjectID) -> CauldronError {
    CauldronError(
      .saveConflict,
      "Cannot save changes to \(entity.name) \(id): the object itself was not saved, or was"
        + " discarded."
    ).with {
      $0.entity = entity.name
      $0.objectIDs = [id]
    }
  }

  static func danglingTarget(_ entity: EntityLayout, _ id: ManagedObjectID) -> CauldronError {
    CauldronError(
      .saveConflict,
      "Cannot save a reference to \(entity.name) \(id): it was deleted, or never saved."
    ).with {
      $0.entity = entity.name
      $0.objectIDs = [id]
    }
  }

  static func stillReferenced(
    _ entity: EntityLayout, _ id: ManagedObjectID, _ from: EntityLayout,
    _ referrer: ManagedObjectID, _ property: String
  ) -> CauldronError {
    CauldronError(
      .saveConflict,
      "Cannot save: \(entity.name) \(id) is deleted, but \(from.name) \(referrer) still refers to"
        + " it by \(property)."
    ).with {
      $0.entity = entity.name
      $0.property = property
      $0.objectIDs = [id, referrer]
    }
  }
}
