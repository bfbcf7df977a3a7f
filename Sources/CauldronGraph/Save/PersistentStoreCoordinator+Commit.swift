import CauldronModel

/// What a commit did.
struct CommitSummary {
  var written: [Layer] = []
  /// Layers as they were before a merge policy has adapted them; contexts below show them so.
  var adapted: [Layer] = []
  var failed: [(Layer, CauldronError)] = []
  var statementCount = 0
  var rowCount = 0
}

extension PersistentStoreCoordinator {
  /// Writes everything that waits in a context on the coordinator, in one transaction.
  ///
  /// Layers that meet a newer version in the store are adapted as the policy says and written in
  /// another round.
  /// - Throws: An error that concerns all of it; then nothing was written and all is still pending.
  func commit(
    _ node: LedgerNode, saveID: UInt64, policy: MergePolicy
  ) throws(CauldronError) -> CommitSummary {
    if isClosed { throw .closed() }
    var layers = try takeOff(node)
    var summary = CommitSummary()
    layers = adapt(layers, node, policy, &summary)
    for round in 1...3 where !layers.isEmpty {
      let failed = try write(layers, node, saveID, &summary)
      layers = retry(failed, node, policy, isLast: round == 3, &summary)
    }
    ledger.withLock { node.inFlight = 0 }
    return summary
  }

  /// Writes layers that lie at the start of the node's list.
  /// - Returns: Those that failed; they stay in the list.
  private func write(
    _ layers: [Layer], _ node: LedgerNode, _ saveID: UInt64, _ summary: inout CommitSummary
  ) throws(CauldronError) -> [(Layer, CauldronError)] {
    let plan = SavePlan(layers.map(\.changes), storeNumber: storeNumber)
    do {
      let receipt = try store.save(plan) { survivors in
        ledger.commitBegins(survivors.map { layers[$0] })
      } didCommit: { receipt in
        commitEnds(layers, receipt, node)
      }
      return finish(layers, receipt, saveID, &summary)
    } catch {
      ledger.withLock { node.inFlight = 0 }
      throw CauldronError.wrap(error)
    }
  }

  private func finish(
    _ layers: [Layer], _ receipt: SaveReceipt, _ saveID: UInt64, _ summary: inout CommitSummary
  ) -> [(Layer, CauldronError)] {
    summary.statementCount += receipt.statementCount
    summary.rowCount += receipt.rowCount
    var failed: [(Layer, CauldronError)] = []
    for (layer, failure) in zip(layers, receipt.failures) {
      if let failure {
        failed.append((layer, failure))
      } else {
        layer.ticket?.resolve(.committed(by: saveID))
        summary.written.append(layer)
      }
    }
    return failed
  }

  /// Tells the contexts below that a merge policy has changed what they saved.
  func announceAdaptations(_ layers: [Layer]) {
    for layer in layers {
      var node: LedgerNode? = layer.origin
      while let step = node {
        step.core?.receive(layer.changes, .adapted)
        node = step.parent
      }
    }
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
