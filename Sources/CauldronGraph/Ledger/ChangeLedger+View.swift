import CauldronModel

extension ChangeLedger {
  /// The layers that a context sees, and the moment they were taken at.
  func view(of node: LedgerNode) -> LayerChain {
    withLock { uncheckedView(of: node) }
  }

  /// What a context sees without the layers that wait in it.
  func view(below node: LedgerNode) -> LayerChain {
    withLock { uncheckedView(of: node, includesOwn: false) }
  }

  /// What a context sees without its own unsaved edits.
  func view(withoutUnsavedOf node: LedgerNode) -> LayerChain {
    withLock {
      var chain = uncheckedView(of: node, includesOwn: false)
      chain.add(node) { !$0.isUnsaved(of: node) }
      return chain
    }
  }

  /// What a context sees: its own layers on top of what its parent sees; or, where it does not read
  /// what others have not committed, on top of what it has handed on itself.
  ///
  /// Called with the lock held.
  func uncheckedView(of node: LedgerNode?, includesOwn: Bool = true) -> LayerChain {
    guard let node else { return uncheckedChain(to: nil) }
    let limit = node.readsUncommitted ? node.ancestors.last { !$0.readsUncommitted } : node
    guard let limit else {
      return uncheckedChain(to: includesOwn ? node : node.ancestors.last)
    }
    let path = includesOwn ? node.ancestors + [node] : node.ancestors
    var chain = uncheckedChain(to: nil)
    for step in path {
      // The context itself, and its descendants.
      let isWhole = step.ancestors.count >= limit.ancestors.count
      chain.add(step) { isWhole || $0.origin.isBelow(limit) }
    }
    return chain
  }

  func setReadsUncommitted(_ value: Bool, _ node: LedgerNode) {
    withLock {
      node.readsUncommitted = value
      journal.append(.everything, node)
    }
  }

  func readsUncommitted(_ node: LedgerNode) -> Bool { withLock { node.readsUncommitted } }
}

extension LedgerNode {
  /// Whether this is a context's node or one of its descendants'.
  func isBelow(_ ancestor: LedgerNode) -> Bool {
    self === ancestor || ancestors.contains { $0 === ancestor }
  }
}
