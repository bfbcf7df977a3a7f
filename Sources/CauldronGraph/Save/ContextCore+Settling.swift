import CauldronModel

extension ContextCore {
  /// Makes saved objects clean, forgets deleted ones, and tells those whose class wants to know.
  /// - Parameter handedOn: What was saved, that of children included.
  func settle(keeping layers: [Layer], handedOn: [Layer] = []) {
    let layers = follow(layers)
    let kept = layers.isEmpty ? LayerChain() : LayerChain(layers: layers)
    let saved = pending.objects
    forgetReferences()
    // Before hooks run: they may follow an exchange of keys.
    pending.objects = saved.filter { object in
      // An observer has changed it since; the rest of its changes is saved.
      if object.isInEvent, !object.isNew {
        object.extras?.edits.saveUpToEvent()
        return true
      }
      return !kept.isEmpty && kept.newest(object.registeredID) != nil
    }
    let rest = Set(pending.objects.map(ObjectIdentifier.init))
    let tells = coordinator.classes.allHooks.contains(.didSave)
    var told: [ManagedObject] = []
    saved.forEachUnretained { _, object in
      guard rest.isEmpty || !rest.contains(ObjectIdentifier(object)) else { return }
      if settle(object), tells, hooks(object).contains(.didSave) { told.append(object) }
    }
    // All are clean by now, so that what a hook changes is not taken for saved.
    if tells { runDidSave(told, handedOn) }
  }

  /// - Returns: Whether the object was saved.
  private func settle(_ object: ManagedObject) -> Bool {
    let wasUnsaved = object.isUnsaved
    if object.isDeleted {
      object.noteChanges()
      // A link may have been made anew since.
      let root = object.layout.rootNumber
      if identity.object(object.key, root: root) === object {
        identity.remove(object.key, root: root)
      }
    }
    object.change { $0.settle() }
    object.extras?.forgetEdits()
    return wasUnsaved
  }

  func count(_ layers: [Layer], _ run: SaveRun) {
    guard run.step == 0 else { return }
    for layer in layers {
      run.counts.inserted += layer.changes.insertedCount
      run.counts.updated += layer.changes.updatedCount
      run.counts.deleted += layer.changes.deletedCount
      run.counts.links += layer.changes.linkCount
    }
  }
}
