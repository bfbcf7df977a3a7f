import CauldronLedger
package import CauldronModel
import CauldronStore

/// Where objects are that are not to be seen in a context.
///
/// An object of another context may be invisible here: that context's event has not ended, or the object is
/// not saved to where this context reads. It is not deleted but unknown: it cannot be read yet, each access
/// looks again, and a save that needs it is refused.
package struct Whereabouts {
  let keys: ObjectKeys

  private var place: Place { keys.place }

  /// Whether no commit has written an object, and nothing that the context sees inserts or deletes it.
  func isUnknown(_ object: ManagedObject) -> Bool {
    place.coordinator.keys.isUncommitted(object.key, root: object.layout.rootNumber)
      && newestChange(of: object) == nil
  }

  func newestChange(of object: ManagedObject) -> RowChange.Kind? {
    let chain = keys.withSettledKeys { place.coordinator.ledger.view(of: place.node) }
    return object.layout.root.family.lazy.compactMap { [coordinator = place.coordinator] member in
      chain.newest(coordinator.id(object.key, of: member.entity))?.kind
    }.first
  }

  /// Why the context cannot save an object of which it could not read the row; nil where it could.
  package func savingError(of object: ManagedObject) -> CauldronError? {
    guard let error = object.extras?.error else { return nil }
    guard object.isInaccessible else { return error }
    if isUnknown(object) { return .dependency(of: object.layout, id: object.registeredID) }
    // Known objects without a row keep their edits only where the program has asked for that.
    let wasUnknown =
      newestChange(of: object) == .deletion || keys.settings.withLock { $0.deletesInaccessible }
    return wasUnknown ? deletedMeanwhile(object) : .notFound(object)
  }

  /// Why an object cannot be saved that was changed before it was known, and is deleted by now.
  private func deletedMeanwhile(_ object: ManagedObject) -> CauldronError {
    let (was, layout) = (object.layout.template.row, object.layout)
    let mine = object.isDoomed ? nil : RowPointer(object.row)
    let conflict = MergeConflict(
      object.registeredID, layout, was: was, theirs: nil, mine: mine,
      mine?.difference(from: was, layout) ?? PropertySet())
    return CauldronError.conflict(conflict, of: layout).with {
      $0.hint = "Roll back, or refresh the object (mergeChanges: false), which drops its changes."
    }
  }

  /// Where an object is that is not to be seen here, as messages say it; nil where that is not known.
  func whereabouts(of id: ManagedObjectID) -> String? {
    if let holder = place.coordinator.ledger.holder(of: id)?.owner?.name {
      return "\"\(holder)\" has created it and not saved it to where it could be seen"
    }
    let waiting = place.node.ancestors.filter { $0.unpublished.value != 0 }.compactMap(
      \.owner?.name)
    if waiting.isEmpty { return nil }
    let names = waiting.map { "\"\($0)\"" }.joined(separator: ", ")
    return "\(names) \(waiting.count == 1 ? "has" : "have") not ended the running event"
  }

  /// An error of a save that needs an unknown object, with the context that has it.
  package func locating(_ error: CauldronError) -> CauldronError {
    guard error.code == .saveDependency, let id = error.objectIDs.first else { return error }
    guard let found = whereabouts(of: id) else {
      return error.with {
        $0.hint = "Refresh the object (mergeChanges: false), which drops its changes, or roll back."
      }
    }
    return error.with {
      $0.hint =
        "Context \(found): have that done first, as by processPendingChanges() or a save, and save again."
    }
  }
}

extension CauldronError {
  /// - Parameter place: Where it is, if that is known.
  static func unknown(_ object: ManagedObject, at place: String?) -> CauldronError {
    CauldronError(
      .objectNotFound,
      "Cannot fault \(object.layout.name) \(object.objectID): it was created in another context, and"
        + " is not to be seen here\(place.map { ": context \($0)" } ?? " yet")."
    ).with {
      $0.entity = object.layout.name
      $0.objectIDs = [object.objectID]
    }
  }
}
