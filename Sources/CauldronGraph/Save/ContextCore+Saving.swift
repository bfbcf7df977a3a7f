import CauldronModel
import Dispatch
import Logging

extension ContextCore {
  /// Saves this level of a chain: into the parent, or into the store.
  ///
  /// Runs as an event of the context. An error stops the chain; what lower levels have handed over
  /// stays where it is.
  func saveLevel(_ run: SaveRun) {
    let began = DispatchTime.now()
    run.run {
      runEvent { saveInEvent(run, began) }
    }
  }

  private func saveInEvent(_ run: SaveRun, _ began: DispatchTime) {
    do throws(CauldronError) {
      try save(run, began: began)
      if !run.goesOn, let failure = run.inheritedFailure { throw failure }
    } catch {
      let name = self.name
      run.error = error.with { if $0.contextName == nil { $0.contextName = name } }
      coordinator.logger.error(
        "Could not save \(describedHandle): \(error)", metadata: metadata(run))
    }
  }

  private func save(_ run: SaveRun, began: DispatchTime) throws(CauldronError) {
    if run.isLate || coordinator.isClosed { throw .closed() }
    if hasChanges { postWillSave() }
    try runWillSave()
    if let unreadError { throw unreadError }
    coordinator.ledger.mergeReturned(node)
    let layers = coordinator.ledger.layers(of: node)
    count(layers, run)
    if run.step == 0 { run.inherited = coordinator.ledger.tickets(inheritedBy: node, of: layers) }
    guard !layers.isEmpty else {
      settle(keeping: [])
      coordinator.logger.debug(
        "No changes in \(describedHandle): nothing to save", metadata: metadata(run))
      return
    }
    coordinator.logger.info(
      "→ Saving \(describedHandle) on \(describedPlace)", metadata: metadata(run, layers, began))
    if run.step == 0,
      let problem = Validation.check(own(layers), storeNumber: coordinator.storeNumber)
    {
      throw problem
    }
    let summary = try node.parent == nil ? commit(run) : push(run)
    coordinator.logger.debug(
      "Saved \(describedHandle)", metadata: metadata(run, layers, began, summary))
  }

  /// - Returns: No summary; only a commit has one.
  private func push(_ run: SaveRun) throws(CauldronError) -> CommitSummary? {
    let outcome = try coordinator.ledger.push(
      node, coordinator, run.mergePolicy(of: self), run.step == 0 ? run.ticket : nil,
      strict: run.step == 0)
    coordinator.announceReturns(outcome.returned)
    coordinator.announceAdaptations(outcome.adapted)
    for reason in outcome.refusals {
      coordinator.logger.warning(
        "Own changes of \(describedHandle) stay unsaved: \(reason)", metadata: metadata(run))
    }
    if !outcome.accepted.isEmpty { run.didWork = true }
    settle(keeping: outcome.refused.map(\.0))
    // Objects show what a merge policy made of their changes as soon as they are saved.
    if !outcome.adapted.isEmpty { catchUp() }
    for layer in outcome.accepted {
      parent?.core.receive(layer.changes, .child, isFollowed: run.goesOn)
      coordinator.announce(layer.changes, in: node.parent, except: node)
    }
    postDidSave(outcome.accepted.map(\.changes), run)
    return nil
  }

  private func commit(_ run: SaveRun) throws(CauldronError) -> CommitSummary? {
    if run.step > 0 { holdBackInvalid(run) }
    let summary: CommitSummary
    do throws(CauldronError) {
      summary = try coordinator.commit(
        node, saveID: run.id, policy: run.mergePolicy(of: self))
    } catch {
      putBackHeld()
      throw error
    }
    if !summary.written.isEmpty { run.didWork = true }
    coordinator.announceReturns(summary.failed)
    coordinator.announceAdaptations(summary.adapted)
    for layer in summary.written {
      coordinator.announce(layer.changes, in: nil, except: node, from: layer.origin)
    }
    let ownFailures = summary.failed.filter { $0.0.isUnsaved(of: node) }
    settle(keeping: ownFailures.map(\.0))
    postDidSave(summary.written.map(\.changes), run)
    if run.step == 0, let failure = ownFailures.first { throw failure.1 }
    return summary
  }

  /// Own changes of the root that do not validate must not fail the saves that pass through it.
  private func holdBackInvalid(_ run: SaveRun) {
    let layers = own(coordinator.ledger.layers(of: node))
    guard let problem = Validation.check(layers, storeNumber: coordinator.storeNumber) else {
      return
    }
    coordinator.logger.warning(
      "Own changes of \(describedHandle) stay unsaved: \(problem)", metadata: metadata(run))
    heldBack = coordinator.ledger.takeOut(layers, of: node)
  }

  private func own(_ layers: [Layer]) -> [Layer] {
    layers.filter { $0.isUnsaved(of: node) }
  }

  private var describedHandle: String { handle?.description ?? name }

  private var describedPlace: String {
    coordinator.mainQueue.isCurrent ? "the main thread" : "a background thread"
  }
}
