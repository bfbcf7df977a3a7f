import CauldronModel

extension ContextCore {
  /// Ends the event: carries deletions on, and puts what changed into the ledger, where children
  /// and the context's own fetches see it.
  /// - Complexity: O(objects that the event touched).
  func publish() {
    guard !event.isEmpty, !isPublishing else { return }
    isPublishing = true
    defer { isPublishing = false }
    propagateDeletes()
    let touched = event
    event = []
    builder.close()
    var drafts = DraftChanges(blocks: builder.blocks)
    for object in touched { add(object, to: &drafts) }
    builder.dropFinishedBlocks()
    guard let changes = drafts.finish(id: coordinator.ledger.changeSetID()) else { return }
    coordinator.ledger.append(Layer(changes: changes, origin: node), to: node)
    postDidChange([changes])
  }

  private func add(_ object: ManagedObject, to drafts: inout DraftChanges) {
    object.state.subtract([.inEvent, .writable])
    if object.state.contains(.unread), !object.state.contains(.inserted) {
      unreadError = object.extras?.error
      return
    }
    let row = RowPointer(object.row)
    let base = object.extras?.eventBase
    object.extras?.eventBase = nil
    if object.state.contains(.deleted) {
      guard !object.state.contains(.gone), let deleted = base?.row ?? publishedRow(object) else {
        return
      }
      drafts.delete(object.layout, deleted, held: base?.block ?? object.owner)
      if object.state.contains(.inserted) {
        forget(object)
      } else {
        pending.append(object)
      }
    } else if let base {
      let changed = row.difference(from: base.row, object.layout)
      guard !changed.isEmpty else { return settle(object, base) }
      row.setVersion(base.row.version + 1)
      drafts.update(
        object.layout, RowUpdate(row: row, base: base.row, changed: changed), base.block)
      pending.append(object)
    } else if object.state.contains(.inserted) {
      row.setVersion(1)
      drafts.insert(object.layout, row)
      pending.append(object)
    }
  }

  /// Lets go of an object that was created and deleted without a save.
  private func forget(_ object: ManagedObject) {
    object.state.insert(.gone)
    identity.remove(object.key, root: object.layout.root.number)
  }

  /// The row of a deleted object that the event did not edit.
  private func publishedRow(_ object: ManagedObject) -> RowPointer? {
    object.state.contains(.fault) ? nil : RowPointer(object.row)
  }

  /// An edit that ended where it began is none.
  private func settle(_ object: ManagedObject, _ base: HeldRow) {
    object.row = base.row.words
    object.owner = base.block
    if let committed = object.extras?.committed, committed.row == base.row {
      object.state.subtract(.updated)
      object.extras?.committed = nil
    } else {
      pending.append(object)
    }
  }
}

/// Gathers the changes of an event by entity.
private struct DraftChanges {
  private struct Draft {
    let entity: EntityLayout
    var inserted: [RowPointer] = []
    var updated: [RowUpdate] = []
    var deleted: [RowDeletion] = []
    var blocks: [RowBlock] = []
  }

  private let blocks: [RowBlock]
  private var drafts: [Draft] = []
  private var last = 0

  init(blocks: [RowBlock]) { self.blocks = blocks }

  mutating func insert(_ entity: EntityLayout, _ row: RowPointer) {
    select(entity)
    drafts[last].inserted.append(row)
  }

  mutating func update(_ entity: EntityLayout, _ update: RowUpdate, _ block: RowBlock) {
    select(entity)
    drafts[last].updated.append(update)
    keep(block)
  }

  mutating func delete(_ entity: EntityLayout, _ row: RowPointer, held block: RowBlock) {
    select(entity)
    drafts[last].deleted.append(RowDeletion(base: row))
    keep(block)
  }

  func finish(id: UInt64) -> ChangeSet? {
    guard !drafts.isEmpty else { return nil }
    return ChangeSet(
      id: id,
      entities: drafts.map {
        EntityChanges(
          entity: $0.entity, inserted: $0.inserted, updated: $0.updated, deleted: $0.deleted,
          blocks: blocks + $0.blocks)
      })
  }

  private mutating func keep(_ block: RowBlock) {
    if drafts[last].blocks.last !== block { drafts[last].blocks.append(block) }
  }

  private mutating func select(_ entity: EntityLayout) {
    if last < drafts.count, drafts[last].entity === entity { return }
    if let index = drafts.firstIndex(where: { $0.entity === entity }) {
      last = index
      return
    }
    drafts.append(Draft(entity: entity))
    last = drafts.count - 1
  }
}
