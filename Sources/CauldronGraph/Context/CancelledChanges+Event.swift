import CauldronLedger
import CauldronModel
import CauldronStore

// What a later event sets back is no edit, as it would be none within one event.
extension CancelledChanges {
  /// Ends the edits of properties that are again as they were before the context edited them, unless
  /// others have changed them meanwhile: then the value that was set back is the context's own.
  /// - Complexity: O(objects · own layers).
  func endEdits(_ candidates: [(object: ManagedObject, properties: PropertySet)]) {
    if coordinator.has(.keptSetBack) { return }
    let (layers, others) = coordinator.ledger.droppable(of: node)
    var all: [ManagedObjectID: SetBack] = [:]
    var settled: [ManagedObject] = []
    for (object, properties) in candidates {
      let id = object.registeredID
      let changes = layers.compactMap { $0.changes.change(id) }
      guard let row = changes.last?.row, let taken = others.changed(of: id) else { continue }
      let setBack = changes.setBack(object.layout).intersection(properties).subtracting(taken)
      let ended = setBack.isEmpty ? setBack : unchangedBelow(setBack, of: object, in: row)
      if ended.isEmpty { continue }
      all[id] = (ended, row)
      if changes.changed?.subtracting(ended).isEmpty == true { settled.append(object) }
    }
    if all.isEmpty { return }
    take(all, outOf: layers)
    for object in settled { settle(object) }
  }

  /// Whether the running event has set back all that was changed of an object.
  /// - Parameter edited: What the event has edited.
  /// - Complexity: O(own layers).
  func endsEdits(of object: ManagedObject, _ edited: PropertySet) -> Bool {
    let id = object.registeredID
    let (layers, others) = coordinator.ledger.droppable(of: node)
    let changes = layers.compactMap { $0.changes.change(id) }
    guard let changed = changes.changed, let taken = others.changed(of: id) else { return false }
    let (all, row) = (changed.union(edited), RowPointer(object.row))
    return all.intersection(taken).isEmpty
      && changed.subtracting(changes.setBack(object.layout, in: row)).isEmpty
      && all.subtracting(unchangedBelow(all, of: object, in: row)).isEmpty
  }

  /// Drops the edits of properties, which leave the context's own unsaved changes at once, unless children
  /// have saved the same properties into the context.
  /// - Complexity: O(objects · own layers).
  func withdraw(_ edited: [(object: ManagedObject, properties: PropertySet)]) {
    if edited.isEmpty { return }
    let (layers, others) = coordinator.ledger.droppable(of: node)
    var all: [ManagedObjectID: SetBack] = [:]
    var rows: [(object: ManagedObject, before: HeldRow, properties: PropertySet)] = []
    for (object, properties) in edited {
      let id = object.registeredID
      guard let before = object.extras?.edits.committed, let taken = others.changed(of: id),
        taken.intersection(properties).isEmpty
      else { continue }
      all[id] = (properties, before.row)
      rows.append((object, before, properties))
    }
    if rows.isEmpty { return }
    take(all, outOf: layers)
    let chain = core.keys.withSettledKeys { coordinator.ledger.view(of: node) }
    for (object, before, properties) in rows {
      let takesAll = showsNewest(object)
      show(before, only: properties, of: object)
      // As the refreshed object does: else one end would show a link that the other one does not know.
      core.reader.refresh(object, over: chain, taking: takesAll ? nil : properties)
    }
    settleEnded(rows.map(\.object))
    core.drafts.forgetReferences()
    core.walks.forgetAllWalks()
  }

  /// Has an object show properties as they were before the context edited them.
  private func show(_ before: HeldRow, only properties: PropertySet, of object: ManagedObject) {
    let isWritable = object.isWritable
    object.extras?.edits.withdraw(properties, of: object.layout, builder: &core.drafts.builder)
    let row = core.drafts.builder.merge(
      properties, from: before.row, onto: RowPointer(object.row), object.layout)
    object.show(row)
    if isWritable { object.change { $0.beginWriting() } }
    core.drafts.note(refreshed: object)
  }

  /// Those of the properties that a row shows as what lies below the context has them.
  private func unchangedBelow(
    _ properties: PropertySet, of object: ManagedObject, in row: RowPointer
  ) -> PropertySet {
    guard let below = try? core.reader.row(below: object) else { return PropertySet() }
    return withExtendedLifetime(below) {
      properties.subtracting(below.row.difference(from: row, object.layout))
    }
  }

  /// Objects of which no edit is left have nothing unsaved.
  /// - Complexity: O(objects · log layers), mostly.
  func settleEnded(_ objects: [ManagedObject]) {
    if objects.contains(where: \.isEditedInVain) { core.keys.settleRefreshes() }
    for object in objects where object.isEdited && !object.isInEvent {
      if coordinator.ledger.pendingKind(object.registeredID, in: node) == nil { settle(object) }
    }
  }

  /// An object is as it was before the context edited it.
  private func settle(_ object: ManagedObject) {
    guard object.isAlive, !object.isInEvent, let edits = object.extras?.edits else { return }
    if let committed = edits.committed, object.edits(since: committed.row).isEmpty {
      if edits.untracked == nil {
        object.move(to: committed.row)
      } else {
        object.extras?.edits.endTracked(at: committed)
      }
    }
    object.change { $0.endEdit() }
    object.extras?.forgetEdits()
    core.drafts.forgetReferences()
  }

  /// Whether the running event has made a link again as it was before an earlier event took it away.
  /// - Complexity: O(own layers).
  func isRemade(_ link: ManagedObject) -> Bool {
    guard link.isNew, link.isInEvent, !link.isDeleted else { return false }
    let id = link.registeredID
    let (layers, others) = coordinator.ledger.droppable(of: node)
    let changes = layers.compactMap { $0.changes.change(id) }
    guard changes.count == 1, case .deleted(let deletion) = changes.first else { return false }
    return changes.areApart(from: others, id)
      && RowPointer(link.row).difference(from: deletion.base, link.layout).isEmpty
  }

  /// The links that an earlier event has taken away and the last one has made anew: they were there always.
  ///
  /// They are looked for before the changes are in the ledger, where both may be gone when they have met.
  func remadeLinks(_ changes: ChangeSet) -> Set<ManagedObjectID> {
    let made = changes.entities.filter { $0.entity.isJoin && !$0.inserted.isEmpty }
    if made.isEmpty { return [] }
    let taken = coordinator.ledger.unsavedLayers(of: node).flatMap(\.changes.entities)
      .filter { $0.entity.isJoin && !$0.deleted.isEmpty }
    if taken.isEmpty { return [] }
    var ids: Set<ManagedObjectID> = []
    for set in made {
      let same = taken.filter { $0.entity === set.entity }
      for key in set.inserted.lazy.map(\.key)
      where same.contains(where: { $0.change(key)?.kind == .deletion }) {
        ids.insert(coordinator.id(key, of: set.entity))
      }
    }
    return ids
  }
}

extension ManagedObject {
  /// Whether the edits of earlier events are what the object has anyway.
  fileprivate var isEditedInVain: Bool {
    guard isEdited, !isInEvent, let committed = extras?.edits.committed else { return false }
    return edits(since: committed.row).isEmpty
  }
}

extension [Layer] {
  /// The properties of an object that the layers change; nil where they create or delete it.
  fileprivate func changed(of id: ManagedObjectID) -> PropertySet? {
    if isEmpty { return PropertySet() }
    return compactMap { $0.changes.change(id) }.changed
  }
}
