package import CauldronModel
import CauldronStore

extension CauldronError {
  /// Two changes of one object that cannot both be saved.
  package static func conflict(_ conflict: MergeConflict, of entity: EntityLayout) -> CauldronError
  {
    let names = conflict.properties.map(\.name).joined(separator: ", ")
    let isDeletion = conflict.properties.allSatisfy { $0.mine == nil }
    let what =
      switch (conflict.persistedSnapshot == nil, isDeletion) {
      case (true, true): "it was deleted already, elsewhere"
      case (true, false): "it was deleted elsewhere since it was edited (\(names))"
      case (false, true): "it is deleted here, and was changed elsewhere (\(names))"
      case (false, false): "\(names) changed elsewhere since it was edited"
      }
    let remedy =
      switch (conflict.persistedSnapshot == nil, isDeletion) {
      // What is gone has no newer row that edits could lie on.
      case (true, _): ""
      case (false, true): "Refresh the object with mergeChanges: true to delete it all the same,"
      case (false, false):
        "Refresh the object (mergeChanges: true keeps these edits, false takes the others),"
      }
    let others = "\(remedy.isEmpty ? "Roll" : " roll") back, or save with another merge policy."
    return CauldronError(
      .saveConflict, "Cannot save \(entity.name) \(conflict.objectID): \(what).",
      hint: remedy + others
    ).with {
      $0.entity = entity.name
      $0.property = conflict.properties.first?.name
      $0.objectIDs = [conflict.objectID]
      $0.conflicts = [conflict]
    }
  }

  /// The same error with the remedy of a save block or an import: running it again, as its context ends with
  /// it and nothing is left to save.
  package func advising(_ ticket: SaveTicket?) -> CauldronError {
    guard let again = ticket?.again, !hint.isEmpty else { return self }
    let sentence = again.prefix(1).uppercased() + again.dropFirst()
    return with { error in
      switch code {
      case .storeDiskFull:
        error.hint = "This save has written nothing; free some space and \(again)."
      case .storeIO: error.hint = "This save has written nothing; \(again)."
      case .storeBusy, .saveProvisionalKey: error.hint = "\(sentence)."
      case .saveConflict: error.hint = "\(sentence), or with another merge policy."
      case .saveDependency:
        let end = ", and save again."
        let isLater = hint.hasSuffix(end)
        error.hint = isLater ? "\(hint.dropLast(end.count)), and \(again)." : "\(sentence)."
      default: break
      }
    }
  }

  /// One error for all conflicts of a save; nil for none.
  package static func joined(_ errors: [CauldronError]) -> CauldronError? {
    guard let first = errors.first, errors.count > 1 else { return errors.first }
    let more = errors.count == 2 ? "One more object is" : "\(errors.count - 1) more objects are"
    return CauldronError(
      first.code, "\(first.message) \(more) refused, too.", hint: first.hint
    ).with {
      $0.entity = first.entity
      $0.property = first.property
      $0.objectIDs = errors.flatMap(\.objectIDs)
      $0.conflicts = errors.flatMap(\.conflicts)
    }
  }

  /// What is changed was created by a context that has not handed it on, or has discarded it.
  package static func dependency(of entity: EntityLayout, id: ManagedObjectID) -> CauldronError {
    CauldronError(
      .saveDependency,
      "Cannot save changes to \(entity.name) \(id): the object itself was not saved, or was"
        + " discarded."
    ).with {
      $0.entity = entity.name
      $0.objectIDs = [id]
    }
  }
}

extension CauldronError {
  /// Any error as one of ours.
  package static func wrap(_ error: any Error) -> CauldronError {
    error as? CauldronError ?? CauldronError(.storeIO, "\(error)")
  }

  /// Whether a block that reads anew may succeed: another save was quicker, or has not come as far yet.
  package var mayPass: Bool { code == .saveConflict || code == .saveDependency }
}

extension Layer {
  /// The save that the changes belong to, as errors name it.
  package var party: SaveParty {
    ticket?.party
      ?? SaveParty(saveID: 0, contextName: origin.owner?.name ?? "", name: "")
  }
}

extension CauldronError {
  /// A conflict's error with the two saves that are at odds; any other error as it is.
  /// - Parameters:
  ///   - party: The save whose changes were refused.
  ///   - receiver: The context whose waiting changes they were compared with; nil for the store.
  package func naming(
    _ party: SaveParty, in receiver: LedgerNode?, on coordinator: PersistentStoreCoordinator
  ) -> CauldronError {
    guard [.saveConflict, .saveDependency].contains(code), save == nil else { return self }
    return with {
      $0.save = party
      $0.otherSave = other(than: party, in: receiver, on: coordinator)
    }
  }

  private func other(
    than party: SaveParty, in receiver: LedgerNode?, on coordinator: PersistentStoreCoordinator
  ) -> SaveParty? {
    guard let id = objectIDs.first else { return nil }
    let properties = conflicts.first.map { Set($0.properties.map(\.name)) }
    if let receiver,
      let layer = coordinator.ledger.layer(touching: id, in: properties, to: receiver),
      layer.ticket?.saveID != party.saveID
    {
      return layer.party
    }
    guard let root = coordinator.layout(id)?.root.number else { return nil }
    let version = coordinator.cache.known(id.key, root: root)??.row.version
    let found = coordinator.committed.ticket(id.key, root: root, version: version)?.party
    return found?.saveID == party.saveID ? nil : found
  }
}

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
