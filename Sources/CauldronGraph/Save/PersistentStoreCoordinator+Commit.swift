import CauldronModel
import CauldronStore

extension PersistentStoreCoordinator {
  /// Writes everything that waits in a context on the coordinator, in one transaction.
  ///
  /// Layers that meet a newer row in the store are compared with it by their properties, and
  /// written in another round, or go back to where they came from. Where the store as a whole
  /// refuses, this save's layers go back, and those of other saves wait on for these.
  /// - Parameter problem: Why the context's own edits are refused, all of them; nil where nothing is
  ///   wrong with them.
  /// - Returns: What became of each layer, also where there is an error.
  func commit(
    _ node: LedgerNode, _ level: LevelSave, _ policy: MergePolicy,
    refusingOwn problem: CauldronError?
  ) -> CommitSummary {
    let run = level.run
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
    guard let all = takeOff(node, level, &summary) else {
      summary.isOutrun = true
      return summary
    }
    let flights = check(
      all, node, policy, run, refusingOwn: problem, &summary)
    if !flights.isEmpty { writeRounds(flights, node, run, policy, &summary) }
    ledger.endFlight(node)
    if !has(.keptOvertaken) {
      summary.losses = ledger.leaveBehind(
        node, order: all.map(\.saved.firstNumber), ahead: summary.written)
    }
    claims.commitEnded { root in
      managedObjectModel.layout(number: root)?.family.map(\.entity) ?? []
    }
    return summary
  }

  /// Writes layers; those that meet newer rows are compared with them, and written again.
  ///
  /// Another process that writes all the time would be quicker again and again. So from the third round
  /// on nobody else writes between the comparison and the commit.
  private func writeRounds(
    _ flights: [Flight], _ node: LedgerNode, _ run: SaveRun, _ policy: MergePolicy,
    _ summary: inout CommitSummary
  ) {
    var failed = write(flights, node, run, holding: false, &summary) { _ in flights }
    var round = 1
    while !failed.isEmpty {
      round += 1
      let isLast = round == 9
      if round == 2 || isLast {
        let again = retry(failed, node, policy, run, isLast: isLast, &summary)
        failed =
          again.isEmpty
          ? [] : write(again, node, run, holding: false, &summary) { _ in again }
      } else {
        let earlier = failed
        failed = write(earlier.map(\.0), node, run, holding: true, &summary) { summary in
          retry(earlier, node, policy, run, isLast: false, &summary)
        }
      }
    }
  }

  /// Marks what was validated as being written; the context's own edits are part of the save now.
  /// - Returns: Nil, and nothing is marked, where a child has brought something back first.
  private func takeOff(
    _ node: LedgerNode, _ level: LevelSave, _ summary: inout CommitSummary
  ) -> [Flight]? {
    let run = level.run
    do throws(CauldronError) {
      if try takeOff(node, only: level.validated, yields: level.yields) == nil { return nil }
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
  /// - Parameters:
  ///   - waiting: What lies there.
  ///   - holding: Whether nobody else may write from before `prepare` is called.
  ///   - prepare: Tells what has to be written of it, and leaves nothing else there.
  /// - Returns: Those that failed; they stay in the list.
  private func write(
    _ waiting: [Flight], _ node: LedgerNode, _ run: SaveRun, holding: Bool,
    _ summary: inout CommitSummary, _ prepare: (inout CommitSummary) -> [Flight]
  ) -> [(Flight, CauldronError)] {
    var flights = waiting
    var flying: [Int] = []
    func plan() -> SavePlan {
      flights = prepare(&summary)
      return SavePlan(
        flights.map(\.layer.changes), units: flights.map(\.layer.unit), storeNumber: storeNumber)
    }
    do {
      let receipt = try store.save(holding: holding, plan) { survivors in
        flying = survivors
        ledger.commitBegins(survivors.map { flights[$0].layer })
      } didCommit: { receipt in
        commitEnds(flights, receipt, node)
      }
      if !receipt.touched.isEmpty {
        summary.hasTouched = true
        tell(BatchKeys(receipt.touched), of: flights.map(\.layer.origin))
      }
      return finish(flights, receipt, run.id, &summary)
    } catch {
      let error = CauldronError.wrap(error)
      if error.code == .storeCommitOutcomeUnknown {
        forgetRows(of: flights)
        ledger.suspend(node, flights, flying: flying)
        outdateDerived(by: flights.map(\.layer))
      }
      abandon(flights, node, run, error, &summary)
      return []
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

  /// Tells the saves whose changes went back, and the contexts that these came back to.
  func announceReturns(_ returned: [(Layer, CauldronError)]) {
    for (layer, error) in returned {
      layer.ticket?.resolve(.failed(error))
      ledger.note(refusal: error, of: ledger.home(of: layer))
    }
    if !returned.isEmpty { wakeReached() }
  }
}

extension CauldronError {
  static func closed() -> CauldronError {
    CauldronError(.stackClosed, "The stack was closed.", hint: "Set up a new one.")
  }
}
