import CauldronModel

extension ContextCore {
  /// Calls `willSave` on every unsaved object, again where that changed something, and ends the
  /// event in between.
  func runWillSave() throws(CauldronError) {
    publish()
    let outer = event.beginRecord()
    defer {
      event.endRecord(outer)
      pending.objects.forEachUnretained { $1.state.remove(.saving) }
    }
    var unsaved = pending.objects
    for _ in 0..<100 {
      guard !unsaved.isEmpty else { return }
      unsaved.forEachUnretained { _, object in
        guard object.state.isDisjoint(with: [.saving, .gone]) else { return }
        object.state.insert(.saving)
        object.willSave()
      }
      publish()
      // What a hook has changed is told once more, so that it can look at the new values; and so is
      // what a deletion has taken along.
      unsaved = event.takeRecord().filter { $0.state.contains(.listed) }
      unsaved.forEachUnretained { $1.state.remove(.saving) }
    }
    throw CauldronError(
      .saveConflict, "Cannot save \"\(name)\": willSave() still changes objects after 100 rounds.",
      hint: "Change a value in willSave() only if it differs.")
  }

  /// Makes saved objects clean, and forgets deleted ones.
  func settle(keeping layers: [Layer]) {
    let layers = follow(layers)
    let kept = layers.isEmpty ? LayerChain() : LayerChain(layers: layers)
    let saved = pending.objects
    // Before hooks run: they may follow an exchange of keys.
    pending.objects = saved.filter { object in
      // An observer has changed it since; the rest of its changes is saved.
      if object.state.contains(.inEvent), object.state.isDisjoint(with: .inserted) {
        if let base = object.extras?.eventBase { object.extras?.committed = base }
        return true
      }
      return !kept.isEmpty && kept.newest(object.registeredID) != nil
    }
    let rest = Set(pending.objects.map(ObjectIdentifier.init))
    var told: [ManagedObject] = []
    saved.forEachUnretained { _, object in
      guard rest.isEmpty || !rest.contains(ObjectIdentifier(object)) else { return }
      if settle(object) { told.append(object) }
    }
    // All are clean by now, so that what a hook changes is not taken for saved.
    for object in told { object.didSave() }
  }

  /// - Returns: Whether the object was saved.
  private func settle(_ object: ManagedObject) -> Bool {
    let wasUnsaved = !object.state.intersection([.inserted, .updated, .deleted]).isEmpty
    if object.state.contains(.deleted) {
      object.noteChanges()
      object.state.remove(.deleted)
      object.state.insert(.gone)
      // A link may have been made anew since.
      let root = object.layout.rootNumber
      if identity.object(object.key, root: root) === object {
        identity.remove(object.key, root: root)
      }
    }
    object.state.subtract([.inserted, .updated, .listed])
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
