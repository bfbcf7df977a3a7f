package import CauldronLedger
import CauldronModel

/// Ends the unsaved edits of objects that were saved.
package struct Settler {
  private let core: ContextCore

  package init(_ core: ContextCore) { self.core = core }

  /// Makes saved objects clean.
  ///
  /// All are clean when it returns, so that what a hook changes is not taken for saved.
  /// - Parameter layers: What is still unsaved.
  /// - Returns: The saved objects whose class wants to know of it.
  /// - Complexity: O(unsaved objects).
  package func settle(keeping layers: [Layer]) -> [ManagedObject] {
    let layers = core.keys.followed(layers)
    let kept = layers.isEmpty ? LayerChain() : LayerChain(layers: layers)
    let saved = core.pending.objects
    core.drafts.forgetReferences()
    // Before hooks run: they may follow an exchange of keys.
    core.pending.objects = saved.filter { object in
      // An observer has changed it since; the rest of its changes is saved.
      if object.isInEvent, !object.isNew {
        object.extras?.edits.saveUpToEvent()
        return true
      }
      return !kept.isEmpty && kept.newest(object.registeredID) != nil
    }
    if core.pending.objects.isEmpty { core.pending.torn = TornLinks() }
    let rest = Set(core.pending.objects.map(ObjectIdentifier.init))
    let tells = core.coordinator.classes.allHooks.contains(.didSave)
    var told: [ManagedObject] = []
    saved.forEachUnretained { _, object in
      guard rest.isEmpty || !rest.contains(ObjectIdentifier(object)) else { return }
      if settle(object), tells, core.hooks.of(object).contains(.didSave) {
        told.append(object)
      }
    }
    core.pending.forgetUndeleted()
    return told
  }

  /// What is not edited any more counts as read.
  package func rebase(_ losses: [LeftBehind.Loss]) {
    for loss in losses {
      let object = core.registry.object(loss.key, root: loss.entity.rootNumber)
      guard let object, let edits = object.extras?.edits, let committed = edits.committed else {
        continue
      }
      let row = core.drafts.builder.merge(
        loss.properties, from: edits.eventBase?.row ?? object.trackedRow, onto: committed.row,
        object.layout)
      object.extras?.edits.rebaseCommitted(onto: row.held)
    }
  }

  /// Ends the edits of one object. A deleted one stays registered as long as the program holds it: lists tell of
  /// it, and where the deletion is dropped or refused further up, it stands for its row again.
  /// - Returns: Whether the object was saved.
  private func settle(_ object: ManagedObject) -> Bool {
    // What was created and deleted before its first save was never saved.
    let wasUnsaved = object.isUnsaved && !(object.isNew && object.isDeleted)
    // Its deletion was taken back, and its row has gone since: it was not this save that deleted it.
    if object.isGoneUnsaved, core.pending.undeleted.contains(ObjectIdentifier(object)) {
      return false
    }
    if object.isDeleted { object.noteChanges() }
    if object.isDeleted, object.layout.isJoin {
      // A link may have been made anew since.
      let root = object.layout.rootNumber
      if core.registry.object(object.key, root: root) === object {
        core.registry.remove(object.key, root: root)
      }
    }
    if object.isDeleted {
      // Should its row come back, it has no edits on top, also not those of the event that deleted it.
      object.extras?.revertEdits()
      object.change { $0.endWriting() }
    }
    object.change { $0.settle() }
    object.extras?.forgetEdits()
    return wasUnsaved
  }
}
