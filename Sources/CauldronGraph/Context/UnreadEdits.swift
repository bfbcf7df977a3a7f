import CauldronModel
import CauldronStore
import Logging

/// The edits of objects whose rows could not be read: they wait here, and stop nobody's save but the context's
/// own.
///
/// An object of another context may be invisible here: that context's event has not ended, or the object is
/// not saved to where this context reads. It is not deleted but unknown: it cannot be read yet, each access
/// looks again, and a save that needs it is refused.
struct UnreadEdits {
  let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  private var coordinator: PersistentStoreCoordinator { core.coordinator }
  private var node: LedgerNode { core.node }

  /// Whether an edited object's row is not read, so that the event's end leaves it for later.
  func isHeldBack(_ object: ManagedObject) -> Bool {
    guard object.isUnread, !object.isNew else { return false }
    object.change { $0.leaveEvent() }
    core.pending.holdBack(object)
    return true
  }

  /// Tries once more to read the row of an object.
  /// - Throws: Why it cannot be read.
  func readAgain(_ object: ManagedObject) throws {
    core.catchUp.refresh(object, coordinator.ledger.view(of: node))
    if object.isUnread, let error = object.extras?.error { throw error }
  }

  /// The row of an object could be read after all: its edits, if any, belong to the running event.
  func takeUp(_ object: ManagedObject, _ row: RowPointer) {
    object.change { $0.endUnread() }
    object.extras?.error = nil
    guard core.pending.release(object) else { return }
    object.extras?.edits.rebaseCommitted(onto: row.held)
    object.change { $0.enterEvent() }
    // What goes with it can be found now.
    if object.isDoomed { core.ownership.changeLists { core.event.delete(object) } }
    core.touch(object)
  }

  /// Drops the edits of what cannot be read; the next use reads it again.
  func forgetUnread(_ dropped: [ManagedObject]) {
    _ = core.pending.takeUnread()
    for object in dropped where object.isUnread {
      if !object.isGone { core.refresher.makeFault(of: object) }
    }
  }

  // MARK: Unknown objects

  /// Whether no commit has written an object, and nothing that the context sees inserts or deletes it.
  func isUnknown(_ object: ManagedObject) -> Bool {
    coordinator.keys.isUncommitted(object.key, object.layout.rootNumber)
      && newestChange(of: object) == nil
  }

  private func newestChange(of object: ManagedObject) -> RowChange.Kind? {
    let chain = core.withSettledKeys { coordinator.ledger.view(of: node) }
    return object.layout.root.family.lazy.compactMap { [coordinator] member in
      chain.newest(coordinator.id(object.key, member.entity))?.kind
    }.first
  }

  /// The row of an object of which there was none a moment ago, if it has come since.
  /// - Throws: `object.notFound` for what is unknown.
  func laterRow(of object: ManagedObject) throws -> HeldRow? {
    // What a commit has written, and the store has no more, is gone.
    guard !object.isGone,
      coordinator.keys.isUncommitted(object.key, object.layout.rootNumber)
    else { return nil }
    switch newestChange(of: object) {
    case .deletion: return nil
    case .insertion, .update: return try core.row(of: object)
    case nil: break
    }
    throw noteUnknown(object)
  }

  private func noteUnknown(_ object: ManagedObject) -> CauldronError {
    let error = CauldronError.unknown(object, whereabouts(of: object.registeredID))
    let isFirst = object.extras?.error == nil
    object.makeExtras().error = error
    // New objects mostly begin like this, so that blind edits conflict with real edits alone.
    object.move(to: object.layout.template.row)
    object.change { $0.becomeUnknown() }
    if isFirst {
      coordinator.logger.warning("\(error)", metadata: ContextLog(core).metadata(error))
    }
    return error
  }

  /// Looks again for objects that were unknown when they were edited.
  func readUnknown() {
    for object in core.pending.unread
    where object.isInaccessible
      && coordinator.keys.isReserved(object.key, object.layout.rootNumber)
    {
      try? readAgain(object)
    }
  }

  /// Why the context cannot save an object of which it could not read the row; nil where it could.
  func savingError(of object: ManagedObject) -> CauldronError? {
    guard let error = object.extras?.error else { return nil }
    guard object.isInaccessible else { return error }
    if !isUnknown(object) { return .notFound(object) }
    return .dependency(object.layout, object.registeredID)
  }

  /// Where an object is that is not to be seen here, as messages say it; nil where that is not known.
  func whereabouts(of id: ManagedObjectID) -> String? {
    if let holder = coordinator.ledger.holder(of: id) {
      return "\"\(holder.name)\" has created it and not saved it to where it could be seen"
    }
    let waiting = node.ancestors.filter { $0.unpublished.value != 0 }.compactMap(\.core?.name)
    if waiting.isEmpty { return nil }
    let names = waiting.map { "\"\($0)\"" }.joined(separator: ", ")
    return "\(names) \(waiting.count == 1 ? "has" : "have") not ended the running event"
  }

  /// An error of a save that needs an unknown object, with the context that has it.
  func locating(_ error: CauldronError) -> CauldronError {
    guard error.code == .saveDependency, let id = error.objectIDs.first else { return error }
    guard let place = whereabouts(of: id) else {
      return error.with {
        $0.hint = "Refresh the object (mergeChanges: false), which drops its changes, or roll back."
      }
    }
    return error.with {
      $0.hint =
        "Context \(place): have that done first, as by processPendingChanges() or a save, and save again."
    }
  }
}

extension ChangeLedger {
  /// A context that has inserted an object and not handed it on.
  /// - Complexity: O(contexts and layers).
  func holder(of id: ManagedObjectID) -> ContextCore? {
    withLock { nodes.all.first { $0.runs.contains { $0.inserts(id) } } }?.core
  }

  /// Whether a context may have an object that is not to be seen elsewhere: in its layers, or in an event
  /// that has not ended.
  /// - Parameter isLocked: Whether the caller has the ledger's lock.
  func mayHold(_ ids: [ManagedObjectID], isLocked: Bool) -> Bool {
    let nodes = nodes.all
    if nodes.contains(where: { $0.unpublished.value != 0 }) { return true }
    func look() -> Bool {
      nodes.contains { node in
        node.runs.contains { run in ids.contains { run.inserts($0) } }
      }
    }
    return isLocked ? look() : withLock(look)
  }
}

extension CauldronError {
  /// - Parameter place: Where it is, if that is known.
  fileprivate static func unknown(_ object: ManagedObject, _ place: String?) -> CauldronError {
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
