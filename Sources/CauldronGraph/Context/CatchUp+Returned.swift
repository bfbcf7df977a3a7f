import CauldronLedger
package import CauldronModel
package import CauldronStore

// Changes of the context's own that could not be saved further up and came back.
extension CatchUp {
  /// Marks the objects whose saved changes came back as unsaved again.
  /// - Parameter unsaved: What waits here unsaved. Between the moment at which changes came back and
  ///   this one they may have been dropped or saved again.
  func takeBack(_ changes: EntityChanges, over unsaved: LayerChain) {
    let root = changes.entity.rootNumber
    func waits(_ key: Int64) -> Bool {
      unsaved.newest(coordinator.id(key, of: changes.entity)) != nil
    }
    for row in changes.inserted where waits(row.key) {
      bringBack(row, of: changes.entity)
      takeBack(row.key, root: root, kind: .insertion, base: nil)
    }
    for update in changes.updated where waits(update.row.key) {
      bringBack(update.row, of: changes.entity)
      rebase(update, root: root)
      takeBack(update.row.key, root: root, kind: .update, base: shownBase(of: update, root))
    }
    for deletion in changes.deleted where waits(deletion.key) {
      bringBack(deletion, of: changes.entity)
      takeBack(deletion.key, root: root, kind: .deletion, base: deletion.base)
    }
  }

  /// An object with unsaved changes is registered as long as it has them; after the save that was
  /// refused nobody may have held it.
  func bringBack(_ row: RowPointer, of entity: EntityLayout) {
    let known = registry.object(row.key, root: entity.rootNumber)
    guard known?.isDeparted != false,
      let object = known ?? core.reader.object(with: coordinator.id(row.key, of: entity))
    else { return }
    object.change { $0.lookAgain() }
    // One that cannot be read stays a fault, and is looked at when the context saves.
    try? core.reader.load(object)
    guard object.isGone || object.isInaccessible else { return }
    object.noteChanges()
    // Deleted elsewhere, or unknown: the edits are shown still, so that the save can tell why it fails.
    object.endUnread()
    object.change { $0.returnWithEdits() }
    object.show(row)
  }

  /// Lists an object again whose row is back, where edits of the context's own wait for it still: those that lay
  /// below a child's deletion which was refused further up.
  /// - Complexity: O(own layers).
  func takeUpEdits(of object: ManagedObject) {
    if object.layout.isJoin || object.isEdited || object.isNew { return }
    let root = object.layout.rootNumber
    for layer in coordinator.ledger.unsavedLayers(of: node) {
      switch layer.changes.change(object.registeredID) {
      case .inserted: return takeBack(object.key, root: root, kind: .insertion, base: nil)
      case .updated(let update):
        return takeBack(object.key, root: root, kind: .update, base: update.base)
      case .deleted, nil: continue
      }
    }
  }

  /// Lists the deletion among the unsaved ones. The deleted object shows its last row.
  func bringBack(_ deletion: RowDeletion, of entity: EntityLayout) {
    if entity.isJoin { return }
    guard registry.object(deletion.key, root: entity.rootNumber) == nil else { return }
    let object = registry.makeObject(
      of: entity, key: deletion.key, row: deletion.base, state: .shown)
    registry.insert(object, key: deletion.key, root: entity.rootNumber)
  }

  /// Where a row was edited again since, the edit that came back comes first.
  func rebase(_ update: RowUpdate, root: Int32) {
    guard let object = registry.object(update.row.key, root: root),
      let committed = object.extras?.edits.committed
    else { return }
    let row = core.drafts.builder.merge(
      update.changed, from: update.base, onto: committed.row, object.layout)
    object.extras?.edits.rebaseCommitted(onto: row.held)
  }

  /// The row below a returned update, in which properties that the update does not change have the object's
  /// values. The object may have taken in a newer row, whose values are no edits.
  private func shownBase(of update: RowUpdate, _ root: Int32) -> RowPointer {
    guard let object = registry.object(update.row.key, root: root), object.isAlive,
      !object.isFault, !object.isUnread
    else { return update.base }
    let shown = object.extras?.edits.eventBase?.row ?? RowPointer(object.row)
    let newer = shown.difference(from: update.row, object.layout).subtracting(update.changed)
    if newer.isEmpty { return update.base }
    return core.drafts.builder.merge(newer, from: shown, onto: update.base, object.layout)
  }

  /// Marks an object as unsaved again.
  /// - Parameter base: What it was like before.
  package func takeBack(_ key: Int64, root: Int32, kind: RowChange.Kind, base: RowPointer?) {
    guard let object = registry.object(key, root: root) else { return }
    object.change { $0.becomeUnsaved(kind) }
    if let base { object.makeExtras().edits.beginUnsaved(at: base.held) }
    if object.change({ $0.list() }) { core.pending.objects.append(object) }
    core.drafts.noteReferences(of: object)
  }
}
