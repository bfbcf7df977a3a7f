import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore

/// Writes everything that waits in a context on the coordinator, in one transaction.
///
/// Layers that meet a newer row in the store are compared with it by their properties, and
/// written in another round, or go back to where they came from. Where the store as a whole
/// refuses, this save's layers go back, and those of other saves wait on for these.
struct StoreCommit {
  private let coordinator: PersistentStoreCoordinator
  private let node: LedgerNode
  private let run: SaveRun
  private let comparison: CommitComparison
  /// What became of each layer, also where there is an error.
  private(set) var summary = CommitSummary()

  init(
    of node: LedgerNode, by run: SaveRun, _ policy: MergePolicy,
    _ coordinator: PersistentStoreCoordinator
  ) {
    self.coordinator = coordinator
    self.node = node
    self.run = run
    comparison = CommitComparison(
      coordinator: coordinator, node: node, run: run, policy: policy)
  }

  private var ledger: ChangeLedger { coordinator.ledger }

  /// Commits.
  /// - Parameter problem: Why the context's own edits are refused, all of them; nil where nothing is
  ///   wrong with them.
  mutating func commit(_ level: LevelSave, refusingOwn problem: CauldronError?) {
    if coordinator.isClosed {
      summary.error = .closed()
      return
    }
    settleUnknown()
    if let error = summary.error {
      summary.failed = ledger.giveBack(node, where: run.brought).map { ($0, error) }
      return
    }
    guard let all = takeOff(level) else {
      summary.isOutrun = true
      return
    }
    let flights = accept(comparison.compared(all, refusingOwn: problem))
    if !flights.isEmpty { writeRounds(flights) }
    ledger.endFlight(node)
    if !coordinator.has(.keptOvertaken) {
      summary.losses = ledger.leaveBehind(
        node, order: all.map(\.saved.firstNumber), ahead: summary.written)
    }
    endClaims()
  }

  /// Takes in what an earlier commit has written without knowing it.
  private mutating func settleUnknown() {
    let unsettled = UnsettledCommit(coordinator: coordinator, node: node)
    do throws(CauldronError) {
      for flight in try unsettled.settled() { summary.acknowledge(flight, by: run.id) }
    } catch {
      summary.error = error
    }
  }

  /// Notes what a comparison has refused.
  /// - Returns: What can be written.
  private mutating func accept(_ compared: CommitComparison.Result) -> [Flight] {
    summary.failed += compared.refused
    return compared.accepted
  }

  /// Writes layers; those that meet newer rows are compared with them, and written again.
  ///
  /// Another process that writes all the time would be quicker again and again. So from the third round
  /// on nobody else writes between the comparison and the commit.
  private mutating func writeRounds(_ flights: [Flight]) {
    var failed = write(flights, holding: false) { _ in flights }
    var round = 1
    while !failed.isEmpty {
      round += 1
      let isLast = round == 9
      if round == 2 || isLast {
        let again = accept(comparison.compared(again: failed, isLast: isLast))
        failed = again.isEmpty ? [] : write(again, holding: false) { _ in again }
      } else {
        let earlier = failed
        failed = write(earlier.map(\.0), holding: true) { commit in
          commit.accept(commit.comparison.compared(again: earlier, isLast: false))
        }
      }
    }
  }

  /// Marks what was validated as being written; the context's own edits are part of the save now.
  /// - Returns: Nil, and nothing is marked, where a child has brought something back first.
  private mutating func takeOff(_ level: LevelSave) -> [Flight]? {
    do throws(CauldronError) {
      let layers = try coordinator.takeOff(node, only: level.validated, yields: level.yields)
      if layers == nil { return nil }
    } catch {
      abandon(ledger.layers(of: node).map { Flight($0) }, because: error)
      return []
    }
    return ledger.board(node) { [run] in
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
  private mutating func write(
    _ waiting: [Flight], holding: Bool, prepare: (inout StoreCommit) -> [Flight]
  ) -> [(Flight, CauldronError)] {
    var flights = waiting
    var flying: [Int] = []
    let (coordinator, ledger, node) = (coordinator, ledger, node)
    do {
      let receipt = try coordinator.store.save(holding: holding) {
        flights = prepare(&self)
        return SavePlan(
          flights.map(\.layer.changes), units: flights.map(\.layer.unit),
          storeNumber: coordinator.storeNumber)
      } willCommit: { survivors in
        flying = survivors
        ledger.commitBegins(survivors.map { flights[$0].layer })
      } didCommit: { receipt in
        coordinator.commitEnds(flights, receipt: receipt, in: node)
      }
      if !receipt.touched.isEmpty {
        summary.hasTouched = true
        coordinator.tell(BatchKeys(receipt.touched), of: flights.map(\.layer.origin))
      }
      return finish(flights, with: receipt)
    } catch {
      let error = CauldronError.wrap(error)
      if error.code == .storeCommitOutcomeUnknown {
        forgetRows(of: flights)
        ledger.suspend(node, flights: flights, flying: flying)
        coordinator.outdateDerived(by: flights.map(\.layer))
      }
      abandon(flights, because: error)
      return []
    }
  }

  /// - Returns: What was not written, and why.
  private mutating func finish(
    _ flights: [Flight], with receipt: SaveReceipt
  ) -> [(Flight, CauldronError)] {
    summary.statementCount += receipt.statementCount
    summary.rowCount += receipt.rowCount
    var failed: [(Flight, CauldronError)] = []
    for (flight, failure) in zip(flights, receipt.failures) {
      if let failure {
        failed.append((flight, failure))
      } else {
        summary.acknowledge(flight, by: run.id)
      }
    }
    return failed
  }

  /// The store as a whole has refused; nothing of these layers is written, or nobody knows.
  private mutating func abandon(_ flights: [Flight], because error: CauldronError) {
    summary.error = error
    if error.code == .storeCommitOutcomeUnknown { return }
    ledger.giveUp(node, flights: flights, returning: run.brought)
    let mine = flights.filter { [run] in run.brought($0.saved) }
    summary.failed += mine.map { ($0.saved, error) }
  }

  /// What is known of these rows may be outdated, also for who rolls the changes back.
  private func forgetRows(of flights: [Flight]) {
    for set in flights.flatMap(\.layer.changes.entities) {
      coordinator.results.outdate(set)
      for key in set.changedKeys {
        coordinator.cache.remove(key, root: set.entity.rootNumber)
      }
    }
  }

  /// Has committed objects that were claimed by unique values be found in the store from now on.
  private func endClaims() {
    coordinator.claims.commitEnded { root in
      coordinator.managedObjectModel.layout(number: root)?.family.map(\.entity) ?? []
    }
  }
}
