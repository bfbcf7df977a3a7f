import CauldronModel

extension ContextCore {
  /// Drops the context's own unsaved changes to those rows that are again as they were before them, so
  /// that who undoes all that he has done has nothing to save.
  /// - Complexity: O(rows · own layers).
  func dropCancelled(_ ids: Set<ManagedObjectID>) {
    let layers = coordinator.ledger.droppable(of: node).own
    if layers.isEmpty { return }
    for id in ids {
      let changes = layers.compactMap { $0.changes.change(id) }
      guard let layout = coordinator.layout(id), changes.areCancelled(layout) else { continue }
      pending.drop(id)
      if let object = identity.object(id.key, root: layout.rootNumber) { settleClean(object) }
    }
    settleRefreshes()
  }

  /// An object has nothing unsaved any more, and shows what it shows.
  private func settleClean(_ object: ManagedObject) {
    guard object.state.isDisjoint(with: [.deleted, .gone, .inEvent]) else { return }
    if object.layout.isJoin { return identity.remove(object.key, root: object.layout.rootNumber) }
    object.state.subtract([.updated, .writable])
    object.extras?.forgetEdits()
  }
}

extension [RowChange] {
  /// Whether what was done last has left nothing of what was done before.
  fileprivate func areCancelled(_ layout: EntityLayout) -> Bool {
    guard let first, let last else { return false }
    switch (first, last) {
    case (.inserted, .deleted): return true
    case (.updated(let update), _):
      return last.row.map { $0.difference(from: update.base, layout).isEmpty } ?? false
    case (.deleted(let deletion), _):
      return last.row.map { $0.difference(from: deletion.base, layout).isEmpty } ?? false
    default: return false
    }
  }
}
