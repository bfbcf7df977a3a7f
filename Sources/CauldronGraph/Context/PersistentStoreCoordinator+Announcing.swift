import CauldronModel
import CauldronStore

extension PersistentStoreCoordinator {
  /// Lists a context among those that merge by themselves, or takes it off the list.
  func setMerging(_ core: ContextCore, _ isMerging: Bool) {
    core.settings.withLock { $0.isMerging = isMerging }
    merging.withLock { list in
      list.removeAll { $0.core == nil || $0 === core.node }
      if isMerging { list.append(core.node) }
    }
  }

  /// Tells the merging contexts with a parent of changes that were accepted there; those on the
  /// coordinator, where `parent` is nil, of changes that were committed.
  func announce(
    _ changes: ChangeSet, in parent: LedgerNode?, except source: LedgerNode,
    from origin: LedgerNode? = nil
  ) {
    let nodes = merging.withLock { $0 }
    for node in nodes where node !== source && learns(node, of: parent, origin) {
      node.core?.catchUp.receive(changes, .sibling)
    }
  }

  /// Whether a merging context is told of what was accepted in `parent`; one that does not read
  /// what others have not committed learns of commits alone, wherever it stands.
  private func learns(
    _ node: LedgerNode, of parent: LedgerNode?, _ origin: LedgerNode?
  ) -> Bool {
    if ledger.readsUncommitted(node) { return node.parent === parent }
    return parent == nil && origin?.isBelow(node) != true
  }
}
