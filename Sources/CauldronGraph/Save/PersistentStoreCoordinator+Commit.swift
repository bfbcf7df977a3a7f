import CauldronModel

extension PersistentStoreCoordinator {
  /// Writes everything that waits in a context on the coordinator, in one transaction.
  ///
  /// Layers that meet a newer row in the store are compared with it by their properties, and written
  /// in another round, or go back to where they came from. Where the store as a whole refuses, what
  /// this save has brought goes back, and what others have brought still waits for their saves.
  /// - Parameter problem: Why the context's own edits are refused, all of them; nil where nothing is
  ///   wrong with them.
  /// - Returns: What became of each layer, also where there is an error.
  func commit(
    _ node: LedgerNode, _ run: SaveRun, _ policy: MergePolicy, refusingOwn problem: CauldronError?
  ) -> CommitSummary {
    var summary = CommitSummary()
    if isClosed {
      summary.error = .closed()
      return summary
    }
    settleUnknown(node, run, &summary)
    if let error = summary.error {
      summary.failed = ledger.giveBack(node, where: run.brought).map { ($0, error) }
      return summary
    }
    var flights = check(
      takeOff(node, run, &summary), node, policy, run, refusingOwn: problem, &summary)
    var round = 1
    while !flights.isEmpty {
      do throws(CauldronError) {
        let failed = try write(flights, node, run.id, &summary)
        flights = retry(failed, node, policy, run, isLast: round == 8, &summary)
        round += 1
      } catch {
        abandon(flights, node, run, error, &summary)
        flights = []
      }
    }
    ledger.endFlight(node)
    claims.commitEnded { root in
      managedObjectModel.layout(number: root)?.family.map(\.entity) ?? []
    }
    return summary
  }

  /// Marks what was validated as being written; the context's own edits are part of the save now.
  private func takeOff(
    _ node: LedgerNode, _ run: SaveRun, _ summary: inout CommitSummary
  ) -> [Flight] {
    do throws(CauldronError) {
      _ = try takeOff(node, only: run.validated)
    } catch {
      abandon(ledger.layers(of: node).map { Flight($0) }, node, run, error, &summary)
      return []
    }
    return ledger.board(node) {
      let ticket = run.ownTicket()
      ticket.expect()
      return ticket
    }
  }

  /// Writes layers that lie at the start of the node's list.
  /// - Returns: Those that failed; they stay in the list.
  private func write(
    _ flights: [Flight], _ node: LedgerNode, _ saveID: UInt64, _ summary: inout CommitSummary
  ) throws(CauldronError) -> [(Flight, CauldronError)] {
    let layers = flights.map(\.layer)
    let plan = SavePlan(
      layers.map(\.changes), units: layers.map(\.unit), storeNumber: storeNumber)
    var flying: [Int] = []
    do {
      let receipt = try store.save(plan) { survivors in
        flying = survivors
        ledger.commitBegins(survivors.map { layers[$0] })
      } didCommit: { receipt in
        commitEnds(layers, receipt, node)
      }
      return finish(flights, receipt, saveID, &summary)
    } catch {
      let error = CauldronError.wrap(error)
      if error.code == .storeCommitOutcomeUnknown {
        forgetRows(of: flights)
        ledger.suspend(node, flights, flying: flying)
      }
      throw error
    }
  }

  private func finish(
    _ flights: [Flight], _ receipt: SaveReceipt, _ saveID: UInt64,
    _ summary: inout CommitSummary
  ) -> [(Flight, CauldronError)] {
    summary.statementCount += receipt.statementCount
    summary.rowCount += receipt.rowCount
    var failed: [(Flight, CauldronError)] = []
    for (flight, failure) in zip(flights, receipt.failures) {
      if let failure {
        failed.append((flight, failure))
      } else {
        summary.acknowledge(flight, saveID)
      }
    }
    return failed
  }

  /// The store as a whole has refused; nothing of these layers is written, or nobody knows.
  private func abandon(
    _ flights: [Flight], _ node: LedgerNode, _ run: SaveRun, _ error: CauldronError,
    _ summary: inout CommitSummary
  ) {
    summary.error = error
    if error.code == .storeCommitOutcomeUnknown { return }
    ledger.giveUp(node, flights, returning: run.brought)
    let mine = flights.filter { run.brought($0.saved) }
    summary.failed += mine.map { ($0.saved, error) }
  }

  /// What is known of these rows may be outdated, also for who rolls the changes back.
  private func forgetRows(of flights: [Flight]) {
    for set in flights.flatMap(\.layer.changes.entities) {
      results.outdate(set)
      for key in set.changedKeys {
        cache.remove(key, root: set.entity.rootNumber)
      }
    }
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
      let home = ledger.home(of: layer)
      var isBelowHome = true
      while let step = node {
        announce(layer.changes, in: step, except: layer.origin)
        if step === home { isBelowHome = false }
        if !isBelowHome { step.core?.receive(layer.changes, step === home ? .returned : .child) }
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
