import CauldronLedger
package import CauldronModel
import CauldronStore

/// Takes what was set back out of the context's own unsaved changes: it is no edit any more.
package struct CancelledChanges {
  let core: ContextCore

  package init(_ core: ContextCore) { self.core = core }

  var coordinator: PersistentStoreCoordinator { core.coordinator }
  var node: LedgerNode { core.node }

  /// Drops the context's own unsaved changes to rows that are equal to the rows below those
  /// changes. After an undo of all changes, the context has nothing to save.
  /// - Complexity: O(rows · own layers).
  package func dropCancelled(_ ids: Set<ManagedObjectID>) {
    core.keys.settleRefreshes()
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
        core.pending.drop(id)
      }
      if layout.isJoin { links.insert(id) }
      guard let object = core.registry.object(id.key, root: layout.rootNumber) else { continue }
      if settleClean(object) { settled.append(object) }
    }
    forget(links)
    core.keys.settleRefreshes()
    if !settled.isEmpty { takeInHidden(settled) }
  }

  /// Links are objects only while they are unsaved; one that was taken away and made again is two of them.
  private func forget(_ links: Set<ManagedObjectID>) {
    if links.isEmpty { return }
    for link in core.pending.objects where link.layout.isJoin && links.contains(link.registeredID) {
      link.change { $0.cancelChanges() }
      link.extras?.forgetEdits()
    }
  }

  /// Shows what others have changed meanwhile, where an edit has hidden it.
  func takeInHidden(_ objects: [ManagedObject]) {
    let chain = core.keys.withSettledKeys { coordinator.ledger.view(of: node) }
    if objects.count > 8 { core.reader.readAhead(objects, over: chain) }
    for object in objects { core.reader.refresh(object, over: chain) }
  }

  /// An object has nothing unsaved any more.
  /// - Returns: Whether others may have changed what it shows.
  private func settleClean(_ object: ManagedObject) -> Bool {
    guard object.isAlive, !object.isInEvent else { return false }
    if object.layout.isJoin {
      core.registry.remove(object.key, root: object.layout.rootNumber)
      return false
    }
    let isOvertaken = core.settings.isMerging || object.extras?.edits.isOvertaken == true
    object.change { $0.cancelEdits() }
    object.extras?.forgetEdits()
    return isOvertaken
  }

  /// Ends the edits of an object's links, and of those that hang together with them, where a child has saved
  /// the same ends into the context: these are what the child has made of them.
  func endTaken(
    _ unit: [(object: ManagedObject, properties: PropertySet)], with object: ManagedObject
  ) {
    if unit.isEmpty { return }
    var ends = [object.registeredID: object.layout.digest.oneToOnes]
    for end in unit { ends[end.object.registeredID] = end.properties }
    settle(coordinator.ledger.endEdits(ends, in: node))
  }

  /// Has objects not edit ends of links any more that are no part of the context's own layers.
  func settle(_ ended: [ManagedObjectID: PropertySet]) {
    var objects: [ManagedObject] = []
    for (id, ends) in ended {
      guard let layout = coordinator.managedObjectModel.layout(number: id.entityNumber),
        let object = core.registry.object(id.key, root: layout.rootNumber), object.isAlive,
        !object.isFault, !object.isInEvent
      else { continue }
      let own = coordinator.ledger.layers(touching: object.registeredID, in: node)
      if own.contains(where: { $0.isUnsaved(of: node) }) {
        object.extras?.edits.end(
          ends, in: RowPointer(object.row), of: object.layout, builder: &core.drafts.builder)
      } else {
        object.change { $0.cancelEdits() }
        object.extras?.forgetEdits()
      }
      objects.append(object)
    }
    if !objects.isEmpty { takeInHidden(objects) }
  }

  // MARK: Single properties

  /// The properties of an object that were set back, and a row that shows them.
  typealias SetBack = (properties: PropertySet, row: RowPointer)

  /// Takes properties that were set back out of the context's own unsaved changes to objects that it has
  /// changed otherwise, too: what others make of them is shown, and is no conflict.
  /// - Complexity: O(objects · own layers).
  package func dropSetBack(_ restored: [ManagedObjectID: PropertySet]) {
    core.keys.settleRefreshes()
    let (layers, others) = coordinator.ledger.droppable(of: node)
    var all: [ManagedObjectID: SetBack] = [:]
    for (id, properties) in restored {
      let changes = layers.compactMap { $0.changes.change(id) }
      guard let layout = coordinator.layout(id), let row = changes.last?.row,
        changes.areApart(from: others, id)
      else { continue }
      let setBack = changes.setBack(layout).intersection(properties)
      if !setBack.isEmpty { all[id] = (setBack, row) }
    }
    if all.isEmpty { return }
    take(all, outOf: layers)
    let objects = all.keys.compactMap { core.keys.registeredObject($0) }
    takeInHidden(objects.filter(showsNewest))
  }

  /// Whether an object without edits shows what others have changed meanwhile.
  func showsNewest(_ object: ManagedObject) -> Bool {
    core.settings.isMerging || object.extras?.edits.isOvertaken == true
  }

  /// Has layers change the properties no more.
  func take(_ all: [ManagedObjectID: SetBack], outOf layers: [Layer]) {
    var replacements: [ObjectIdentifier: Layer] = [:]
    var firsts: [ManagedObjectID: RowPointer] = [:]
    for layer in layers {
      let touched = all.keys.filter { layer.changes.change($0) != nil }
      if touched.isEmpty { continue }
      for id in touched where firsts[id] == nil {
        if case .updated(let update)? = layer.changes.change(id) { firsts[id] = update.first }
      }
      replacements[ObjectIdentifier(layer)] = without(all, firsts: firsts, in: layer)
    }
    coordinator.ledger.replace(replacements, in: node, ending: Set(all.keys))
    coordinator.wakeReached()
  }

  /// - Parameter firsts: The rows at the first edits.
  private func without(
    _ all: [ManagedObjectID: SetBack], firsts: [ManagedObjectID: RowPointer], in layer: Layer
  ) -> Layer {
    let sets = layer.changes.entities.map { set in
      let updated = set.updated.compactMap { update -> RowUpdate? in
        let id = coordinator.id(update.row.key, of: set.entity)
        guard let setBack = all[id] else { return update }
        return without(setBack, earliest: firsts[id] ?? update.first, in: update, of: set.entity)
      }
      return EntityChanges(
        entity: set.entity, inserted: set.inserted, updated: updated, deleted: set.deleted)
    }
    return layer.with(
      changes: ChangeSet(
        id: coordinator.ledger.changeSetID(), entities: sets.filter { $0.count > 0 },
        from: [layer.changes]))
  }

  /// - Parameter earliest: The row at the context's first edit of the object.
  /// - Returns: Nil if nothing is left of the update.
  private func without(
    _ setBack: SetBack, earliest: RowPointer, in update: RowUpdate, of entity: EntityLayout
  ) -> RowUpdate? {
    let changed = update.changed.subtracting(setBack.properties)
    if changed.isEmpty { return nil }
    func row(_ row: RowPointer) -> RowPointer {
      let differing = row.difference(from: setBack.row, entity).intersection(setBack.properties)
      if differing.isEmpty { return row }
      return core.drafts.builder.merge(differing, from: setBack.row, onto: row, entity)
    }
    // The row of the first edit stays, of which a strict save compares all: a later edit was made from what
    // was set back.
    let first =
      update.first == earliest
      ? earliest
      : core.drafts.builder.merge(
        setBack.properties, from: earliest, onto: update.first, entity)
    return RowUpdate(
      row: row(update.row), base: row(update.base), changed: changed, first: first,
      nullified: update.nullified.intersection(changed), alone: update.alone,
      isRestored: update.isRestored)
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
  var changed: PropertySet? {
    var changed = PropertySet()
    for change in self {
      guard case .updated(let update) = change else { return nil }
      changed.formUnion(update.changed)
    }
    return changed
  }

  /// The properties that are again as they were before they were changed, where nothing else was done.
  /// - Parameter shown: What they are like now; nil for what was done last.
  func setBack(_ layout: EntityLayout, in shown: RowPointer? = nil) -> PropertySet {
    var (seen, setBack) = (PropertySet(), PropertySet())
    for change in self {
      guard case .updated(let update) = change, let row = shown ?? last?.row else {
        return PropertySet()
      }
      let new = update.changed.subtracting(seen)
      setBack.formUnion(new.subtracting(row.difference(from: update.base, layout)))
      seen.formUnion(new)
    }
    return setBack
  }
}
