import CauldronModel

/// What a commit did.
struct CommitSummary {
  var written: [Layer] = []
  var failed: [(Layer, CauldronError)] = []
  var statementCount = 0
  var rowCount = 0
}

extension PersistentStoreCoordinator {
  /// Writes everything that waits in a context on the coordinator, in one transaction.
  ///
  /// - Throws: An error that concerns all of it; then nothing was written and all is still pending.
  func commit(_ node: LedgerNode, saveID: UInt64) throws(CauldronError) -> CommitSummary {
    if isClosed { throw .closed() }
    let layers = ledger.withLock {
      node.inFlight = node.layers.count
      return node.layers
    }
    guard !layers.isEmpty else { return CommitSummary() }
    let plan = SavePlan(layers.map(\.changes), storeNumber: storeNumber)
    let receipt: SaveReceipt
    var hasBegun = false
    do {
      receipt = try store.save(plan) {
        hasBegun = true
        ledger.commitBegins()
      }
    } catch {
      ledger.withLock {
        node.inFlight = 0
        if hasBegun { ledger.uncheckedCommitEnded() }
      }
      throw CauldronError.wrap(error)
    }
    return finish(layers, receipt, node, saveID, hasBegun: hasBegun)
  }

  private func finish(
    _ layers: [Layer], _ receipt: SaveReceipt, _ node: LedgerNode, _ saveID: UInt64,
    hasBegun: Bool
  ) -> CommitSummary {
    var summary = CommitSummary()
    summary.statementCount = receipt.statementCount
    summary.rowCount = receipt.rowCount
    for (layer, failure) in zip(layers, receipt.failures) {
      if let failure {
        summary.failed.append((layer, failure))
      } else {
        summary.written.append(layer)
      }
    }
    // The cache first: a reader that still sees the layers recognises rows that hold them already.
    for layer in summary.written {
      for set in layer.changes.entities {
        cache.apply(set)
        keys.markCommitted(set.inserted, set.entity.root.number)
      }
    }
    ledger.withLock {
      node.layers.removeFirst(layers.count)
      node.inFlight = 0
      for (layer, _) in summary.failed { ledger.uncheckedReturn(layer) }
      if hasBegun { ledger.uncheckedCommitEnded() }
    }
    for layer in summary.written { layer.ticket?.resolve(.committed(by: saveID)) }
    return summary
  }

  /// Tells everybody concerned that layers went back to where they came from.
  func announceReturns(_ returned: [(Layer, CauldronError)]) {
    for (layer, error) in returned {
      layer.ticket?.resolve(.failed(error))
      var node: LedgerNode? = layer.origin
      var isOrigin = true
      while let step = node {
        announce(layer.changes, in: step, except: layer.origin)
        step.core?.receive(layer.changes, isOrigin ? .returned : .child)
        isOrigin = false
        node = step.parent
      }
    }
  }
}

extension CauldronError {
  static func closed() -> CauldronError {
    CauldronError(.stackClosed, "The stack was closed.", hint: "Set up a new one.")
  }
}
