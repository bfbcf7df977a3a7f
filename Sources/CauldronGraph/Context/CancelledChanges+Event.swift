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
      let ended = setBack.isEmpty ? setBack : unchangedBelow(setBack, of: object, row)
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
      && all.subtracting(unchangedBelow(all, of: object, row)).isEmpty
  }

  /// Those of the properties that a row shows as what lies below the context has them.
  private func unchangedBelow(
    _ properties: PropertySet, of object: ManagedObject, _ row: RowPointer
  ) -> PropertySet {
    guard let below = try? core.reader.row(below: object) else { return PropertySet() }
    return withExtendedLifetime(below) {
      properties.subtracting(below.row.difference(from: row, object.layout))
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
  }

  /// A link that an earlier event has taken away and the last one has made anew was there always.
  func endRemadeLinks(_ changes: ChangeSet) {
    let made = changes.entities.filter { $0.entity.isJoin && !$0.inserted.isEmpty }
    if made.isEmpty { return }
    let taken = coordinator.ledger.unsavedLayers(of: node).flatMap(\.changes.entities)
      .filter { $0.entity.isJoin && !$0.deleted.isEmpty }
    if taken.isEmpty { return }
    var ids: Set<ManagedObjectID> = []
    for set in made {
      let same = taken.filter { $0.entity === set.entity }
      for key in set.inserted.lazy.map(\.key)
      where same.contains(where: { $0.change(key)?.kind == .deletion }) {
        ids.insert(coordinator.id(key, set.entity))
      }
    }
    if !ids.isEmpty { dropCancelled(ids) }
  }
}

extension [Layer] {
  /// The properties of an object that the layers change; nil where they create or delete it.
  fileprivate func changed(of id: ManagedObjectID) -> PropertySet? {
    if isEmpty { return PropertySet() }
    return compactMap { $0.changes.change(id) }.changed
  }
}
