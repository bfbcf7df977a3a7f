package import CauldronModel

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
