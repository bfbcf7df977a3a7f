import CCauldron
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
      runEvent {
        // A save is a moment at which objects change, also in the middle of an event.
        if event.depth > 1 { catchUp() }
        saveInEvent(run, began)
      }
    }
  }

  private func saveInEvent(_ run: SaveRun, _ began: DispatchTime) {
    cauldron_begin_save()
    defer { cauldron_end_save() }
    do throws(CauldronError) {
      try save(run, began: began)
    } catch {
      let error = coordinator.naming(locating(error), run.ticket.party, in: node.parent)
        .with { if $0.contextName == nil { $0.contextName = name } }
      run.error = error
      logFailure(error, run)
    }
  }

  private func save(_ run: SaveRun, began: DispatchTime) throws(CauldronError) {
    if run.isLate || coordinator.isClosed {
      // What the save has handed on was written as the stack was closed.
      if case .committed = run.ticket.result { return }
      throw .closed()
    }
    try checkMayBeSaved()
    if run.step == 0 { try checkMayBegin(run) }
    if hasChanges { postWillSave() }
    try runWillSave()
    try checkUnread(run)
    let problem = try validate(run)
    let layers = coordinator.ledger.layers(of: node)
    count(layers, run)
    if run.step == 0 {
      run.carry(layers, own: run.goesOn ? coordinator.ledger.tickets(above: node) : [])
    }
    guard !layers.isEmpty else {
      settle(keeping: [])
      return logNothing(run)
    }
    logSaving(run, layers, began)
    if run.step == 0, let problem { throw problem }
    if node.parent == nil {
      try commit(run, began, problem)
    } else {
      try push(run, began, problem)
    }
  }

  /// - Parameter problem: Why own changes stay behind.
  private func push(
    _ run: SaveRun, _ began: DispatchTime, _ problem: CauldronError?
  ) throws(CauldronError) {
    let outcome = try coordinator.ledger.push(
      node, coordinator, run.mergePolicy(of: self), run.ownTicket(), strict: run.step == 0,
      refusingOwn: problem, only: run.validated)
    coordinator.announceReturns(logReturned(outcome.returned, run, in: node.parent))
    coordinator.announceAdaptations(outcome.adapted)
    logUnsaved(outcome.refused.map { coordinator.naming($0.1, $0.0.party, in: node.parent) }, run)
    if !outcome.accepted.isEmpty { run.didWork = true }
    settle(keeping: outcome.refused.map(\.0), handedOn: outcome.accepted)
    // Objects show what a merge policy made of their changes as soon as they are saved.
    if !outcome.adapted.isEmpty { catchUp() }
    for layer in outcome.accepted {
      parent?.core.receive(layer.changes, .child, isFollowed: run.goesOn)
      coordinator.announce(layer.changes, in: node.parent, except: node)
    }
    logSaved(
      run, outcome.accepted, refused: outcome.returned.count + outcome.refused.count, began)
    postDidSave(outcome.accepted.map(\.changes), run)
  }

  /// - Parameter problem: Why own changes stay behind.
  private func commit(
    _ run: SaveRun, _ began: DispatchTime, _ problem: CauldronError?
  ) throws(CauldronError) {
    event.hold()
    let summary = coordinator.commit(
      node, run, run.mergePolicy(of: self), refusingOwn: problem)
    event.release()
    if !summary.written.isEmpty { run.didWork = true }
    coordinator.committed.note(summary.written)
    // What concerns the store as a whole is logged once, as this save's own failure.
    let failed = summary.error == nil ? logReturned(summary.failed, run, in: nil) : summary.failed
    coordinator.announceReturns(failed)
    coordinator.announceAdaptations(summary.adapted)
    for layer in summary.written {
      coordinator.announce(layer.changes, in: nil, except: node, from: layer.origin)
    }
    let ownFailures = failed.filter { $0.0.origin === node }
    if summary.error == nil || !summary.written.isEmpty || !ownFailures.isEmpty {
      settle(
        keeping: coordinator.ledger.layers(of: node).filter { $0.origin === node },
        handedOn: summary.written)
    }
    // Objects show what a merge policy made of their changes as soon as they are saved.
    if !summary.adapted.isEmpty || summary.hasTouched { catchUp() }
    logSaved(run, summary.written, refused: failed.count, began, summary)
    postDidSave(summary.written.map(\.changes), run)
    if let error = summary.error { throw error }
    logUnsaved(ownFailures.dropFirst(run.step == 0 ? 1 : 0).map(\.1), run)
    if run.step == 0, let failure = ownFailures.first { throw failure.1 }
  }

  /// Looks whether what was done so far could be saved; nothing is, before the block has ended.
  func checkBeforeEnd() throws(CauldronError) {
    try checkMayBeSaved()
    try runWillSave()
    if let problem = try validateOwn() { throw problem }
  }
}
