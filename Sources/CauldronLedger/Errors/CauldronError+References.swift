package import CauldronModel

extension CauldronError {
  /// A reference leads to an object that is no more.
  static func danglingTarget(_ reference: ReferenceVerdict.Reference) -> CauldronError {
    CauldronError(
      .saveConflict,
      "Cannot save a reference to \(reference.targetEntity.name) \(reference.target): it was deleted,"
        + " or never saved. \(reference.entity.name) \(reference.referrer) refers to it by"
        + " \(reference.property.name)."
    ).about(reference)
  }

  /// A reference leads to an object that no context has handed on as far as here.
  package static func dependency(_ reference: ReferenceVerdict.Reference) -> CauldronError {
    CauldronError(
      .saveDependency,
      "Cannot save a reference to \(reference.targetEntity.name) \(reference.target): the object itself"
        + " was not saved, or was discarded. \(reference.entity.name) \(reference.referrer) refers to it"
        + " by \(reference.property.name)."
    ).about(reference)
  }

  /// A deleted object is referred to by an object that the deleting context has not seen.
  static func stillReferenced(_ reference: ReferenceVerdict.Reference) -> CauldronError {
    CauldronError(
      .saveConflict,
      "Cannot save: \(reference.targetEntity.name) \(reference.target) is deleted, but"
        + " \(reference.entity.name) \(reference.referrer) still refers to it by"
        + " \(reference.property.name)."
    ).about(reference)
  }

  /// A relationship refuses the deletion.
  package static func denied(_ reference: ReferenceVerdict.Reference) -> CauldronError {
    let destination = reference.property.destination
    let name = destination.map { $0.entity.properties[$0.inverse].name } ?? ""
    return denied(
      reference.targetEntity, id: reference.target, through: name, by: [reference.referrer],
      count: 1)
  }

  /// A relationship refuses the deletion of an object.
  /// - Parameters:
  ///   - others: Some of the objects that the relationship leads to.
  ///   - count: How many there are.
  package static func denied(
    _ entity: EntityLayout, id: ManagedObjectID, through property: String,
    by others: [ManagedObjectID], count: Int
  ) -> CauldronError {
    let more = count > 1 ? " and \(count - 1) more" : ""
    let first = others.first.map { "\($0)" } ?? "an object"
    return CauldronError(
      .validationDenied,
      "Cannot delete \(entity.name) \(id): \(property) leads to \(first)\(more), and denies it.",
      hint: "Delete those, too, or take them out of the relationship, or roll back."
    ).with {
      $0.entity = entity.name
      $0.property = property
      $0.objectIDs = [id] + others
    }
  }

  /// One error for all denials of a save; nil for none.
  package static func denied(_ denials: [CauldronError]) -> CauldronError? {
    guard denials.count > 1 else { return denials.first }
    let shown = denials.prefix(20).map(\.message).joined(separator: " ")
    let more = denials.count > 20 ? " … and \(denials.count - 20) more." : ""
    return CauldronError(
      .validationMultiple, "\(denials.count) deletions are denied: \(shown)\(more)",
      hint: denials[0].hint
    ).with {
      $0.details = Array(denials.prefix(100))
      $0.objectIDs = denials.prefix(100).compactMap(\.objectIDs.first)
    }
  }

  /// One error for all references of a save that lead nowhere; nil for none.
  package static func dangling(_ errors: [CauldronError]) -> CauldronError? {
    guard let first = errors.first, errors.count > 1 else { return errors.first }
    return CauldronError(
      first.code, "\(first.message) So it is with \(errors.count - 1) more references.",
      hint: first.hint
    ).with {
      $0.entity = first.entity
      $0.property = first.property
      $0.objectIDs = errors.prefix(100).flatMap(\.objectIDs)
      $0.details = Array(errors.prefix(100))
    }
  }

  private func about(_ reference: ReferenceVerdict.Reference) -> CauldronError {
    with {
      $0.entity = reference.entity.name
      $0.property = reference.property.name
      $0.objectIDs = [reference.target, reference.referrer]
    }
  }
}

extension CauldronError {
  /// One error for all one-to-one links that a save would leave half; nil for none.
  package static func half(_ links: [HalfPair]) -> CauldronError? {
    .dangling(links.map(half))
  }

  private static func half(_ link: HalfPair) -> CauldronError {
    CauldronError(
      .saveConflict,
      "Cannot save one end of a one-to-one relationship alone: \(link.from.name) of"
        + " \(link.from.entity.name) \(link.from.object) would lead to \(link.to.entity.name)"
        + " \(link.to.object), whose \(link.to.name) would not lead back.",
      hint: "Refresh both objects and link them again, or roll back."
    ).with {
      $0.entity = link.from.entity.name
      $0.property = link.from.name
      $0.objectIDs = [link.from.object, link.to.object]
    }
  }
}
