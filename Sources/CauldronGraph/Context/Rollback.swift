import CauldronLedger
import CauldronModel
import CauldronStore

/// Drops all that a context has not saved.
struct Rollback {
  let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  private var coordinator: PersistentStoreCoordinator { core.coordinator }
  private var node: LedgerNode { core.node }
  private var event: EventState { core.event }
  private var registry: Registry { core.registry }

  /// - Returns: What to tell of it, and the objects that have left the context.
  func run() -> (ChangeParts, forgotten: [ManagedObject]) {
    core.undoManager?.forget()
    let touched = core.pending.objects + event.objects + core.pending.unread
    let layers = coordinator.ledger.layers(of: node)
    let dropped = coordinator.ledger.discard(node, acceptedToo: true, by: core.name)
    _ = (event.forgetEdits(), core.pending.forgetEdits())
    node.unpublished.store(LedgerNode.Unpublished.nothing)
    core.finder.endClaiming()
    defer { core.reader.forgetUnread(touched) }
    core.drafts.builder.close()
    core.inbox.forgetReturns()
    let created = touched.filter { $0.isNew && !$0.isGone }
    for object in touched where !object.isNew {
      event.note(refreshed: object.objectID)
    }
    // What others have changed meanwhile shows now, where an edit hid it.
    let overtaken = touched.filter { $0.extras?.edits.isOvertaken ?? false }
    for object in touched { revert(object) }
    for object in touched { core.hooks.noteSnapshot(of: object, flags: .rollback) }
    if !overtaken.isEmpty {
      let chain = coordinator.ledger.view(of: node)
      for object in overtaken { core.reader.refresh(object, over: chain) }
    }
    core.walks.forgetAllWalks()
    core.catchUp.run(discarded: layers)
    let known = Set(created.map(\.objectID))
    let others = inserted(by: dropped).filter { !known.contains($0) }
    for id in others { forgetGone(id) }
    coordinator.wakeReached()
    let parts = ChangeParts(
      discarded: created.map(\.objectID) + others, refreshed: event.takeRefreshed())
    return (parts, created.filter { !$0.layout.isJoin })
  }

  /// What layers insert: children have created it, or it came back a moment ago.
  private func inserted(by layers: [Layer]) -> [ManagedObjectID] {
    layers.flatMap { layer in
      layer.changes.entities.flatMap { changes in
        changes.inserted.map { coordinator.id($0.key, of: changes.entity) }
      }
    }
  }

  /// Takes an object out of the map that exists no more.
  private func forgetGone(_ id: ManagedObjectID) {
    guard let root = coordinator.layout(id)?.rootNumber,
      let object = registry.object(id.key, root: root), object.isGone
    else { return }
    registry.removeGone(object)
  }

  private func revert(_ object: ManagedObject) {
    if object.isNew {
      object.noteChanges()
      object.change { $0.rollBackCreation() }
      registry.removeGone(object)
      return
    }
    if let committed = object.extras?.edits.committed { object.show(committed.row) }
    object.extras?.revertEdits()
    if object.isDeleted || object.extras?.transient.isEmpty == false {
      object.noteChanges()
    }
    object.forgetWalks()
    object.extras?.transient = [:]
    object.change { $0.rollBack() }
  }
}
