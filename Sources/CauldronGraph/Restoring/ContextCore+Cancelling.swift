import CauldronModel

extension ContextCore {
  /// Drops the context's own unsaved changes to those rows that are again as they were before them, so
  /// that who undoes all that he has done has nothing to save.
  /// - Complexity: O(rows · own layers).
  func dropCancelled(_ ids: Set<ManagedObjectID>) {
    let (layers, others) = coordinator.ledger.droppable(of: node)
    var settled: [ManagedObject] = []
    var links: Set<ManagedObjectID> = []
    for id in ids {
      let changes = layers.compactMap { $0.changes.change(id) }
      guard changes.areApart(from: others, id), let layout = coordinator.layout(id) else {
        continue
      }
      if !changes.isEmpty {
        guard changes.areCancelled(layout) else { continue }
        pending.drop(id)
      }
      if layout.isJoin { links.insert(id) }
      guard let object = identity.object(id.key, root: layout.rootNumber) else { continue }
      if settleClean(object) { settled.append(object) }
    }
    forget(links)
    settleRefreshes()
    if !settled.isEmpty { takeInHidden(settled) }
  }

  /// Links are objects only while they are unsaved; one that was taken away and made again is two of them.
  private func forget(_ links: Set<ManagedObjectID>) {
    if links.isEmpty { return }
    for link in pending.objects where link.layout.isJoin && links.contains(link.registeredID) {
      link.change { $0.cancelChanges() }
      link.extras?.forgetEdits()
    }
  }

  /// Shows what others have changed meanwhile, where an edit has hidden it.
  func takeInHidden(_ objects: [ManagedObject]) {
    let chain = withSettledKeys { coordinator.ledger.view(of: node) }
    if objects.count > 8 { catchUp.readAhead(objects, chain) }
    for object in objects { catchUp.refresh(object, chain) }
  }

  /// An object has nothing unsaved any more.
  /// - Returns: Whether others may have changed what it shows.
  private func settleClean(_ object: ManagedObject) -> Bool {
    guard object.isAlive, !object.isInEvent else { return false }
    if object.layout.isJoin {
      identity.remove(object.key, root: object.layout.rootNumber)
      return false
    }
    let isOvertaken = isMerging || object.extras?.edits.isOvertaken == true
    object.change { $0.cancelEdits() }
    object.extras?.forgetEdits()
    return isOvertaken
  }
}

extension [RowChange] {
  /// Whether other layers are not built on the changes to a row, as what children have saved into the
  /// context may be: they have not changed the row, and it was there before.
  func areApart(from layers: [Layer], _ id: ManagedObjectID) -> Bool {
    layers.isEmpty || changed != nil && layers.allSatisfy { $0.changes.change(id) == nil }
  }

  /// Whether what was done last has left nothing of what was done before.
  fileprivate func areCancelled(_ layout: EntityLayout) -> Bool {
    guard let first, let last else { return false }
    switch (first, last) {
    case (.inserted, .deleted): return true
    case (.updated(let update), _):
      if let changed { return changed.subtracting(setBack(layout)).isEmpty }
      return last.row.map { $0.difference(from: update.base, layout).isEmpty } ?? false
    case (.deleted(let deletion), _):
      return last.row.map { $0.difference(from: deletion.base, layout).isEmpty } ?? false
    default: return false
    }
  }

  /// The properties that were changed, where nothing else was done.
  private var changed: PropertySet? {
    var changed = PropertySet()
    for change in self {
      guard case .updated(let update) = change else { return nil }
      changed.formUnion(update.changed)
    }
    return changed
  }

  /// The properties that are again as they were before they were changed, where nothing else was done.
  func setBack(_ layout: EntityLayout) -> PropertySet {
    var (seen, setBack) = (PropertySet(), PropertySet())
    for change in self {
      guard case .updated(let update) = change, let row = last?.row else { return PropertySet() }
      let new = update.changed.subtracting(seen)
      setBack.formUnion(new.subtracting(row.difference(from: update.base, layout)))
      seen.formUnion(new)
    }
    return setBack
  }
}
