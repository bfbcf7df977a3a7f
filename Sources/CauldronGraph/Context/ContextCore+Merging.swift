import CauldronModel

extension ContextCore {
  /// Whether the context takes in what siblings and its parent save.
  var isMerging: Bool { shared.withLock { $0.isMerging } }
}

extension PersistentStoreCoordinator {
  /// Lists a context among those that merge by themselves, or takes it off the list.
  func setMerging(_ core: ContextCore, _ isMerging: Bool) {
    core.shared.withLock { $0.isMerging = isMerging }
    merging.withLock { list in
      list.removeAll { $0.core == nil || $0.core === core }
      if isMerging { list.append(WeakCore(core: core)) }
    }
  }

  /// Tells the merging contexts with a parent of changes that were accepted there; those on the
  /// coordinator, where `parent` is nil, of changes that were committed.
  func announce(_ changes: ChangeSet, in parent: LedgerNode?, except source: LedgerNode) {
    let cores = merging.withLock { list in list.isEmpty ? [] : list.compactMap(\.core) }
    for core in cores where core.node.parent === parent && core.node !== source {
      core.receive(changes, .sibling)
    }
  }
}

/// A context that is known as long as it exists.
struct WeakCore: Sendable {
  private(set) weak var core: ContextCore?
}
