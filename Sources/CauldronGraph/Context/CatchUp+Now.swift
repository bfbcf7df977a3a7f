import CauldronModel

// When a context catches up at once, and not in an event that follows. What has arrived is shown where the
// calling code has the context: elsewhere an event is on its way.
extension CatchUp {
  /// Has the objects show what the store has derived from the save that has ended, where the caller
  /// owns the context; elsewhere an event follows, in which they do.
  func runWhereDerived() {
    if coordinator.managedObjectModel.hasDerived { runNow() }
  }

  /// Whether somebody on the main queue, who begins no event, would look at something old after a save:
  /// at derived numbers, or at a context that has not got back yet what was refused above.
  func isDue(after result: Result<some Any, CauldronError>) -> Bool {
    guard core.ownership.kind == .main else { return false }
    if case .failure = result { return true }
    return coordinator.managedObjectModel.hasDerived
  }

  /// Brings a main context up to a save that has ended; whoever uses another one, whose save has ended
  /// elsewhere, begins an event.
  func runOnMain(after result: Result<some Any, CauldronError>) {
    if isDue(after: result) { runNow() }
  }

  private func runNow() {
    guard !core.inbox.isEmpty, core.ownership.canRunHere else { return }
    core.publisher.hold {
      core.publisher.runEvent {
        // A save is a moment at which objects change, also in the middle of an event.
        if core.event.depth > 1 { run() }
      }
    }
    core.ownership.endClaim(.open)
  }

  /// Takes in what has arrived where the caller is on the context's queue, and ends what was done so far;
  /// in the middle of an event, too, as a save does.
  func runIfCurrent() {
    guard core.ownership.queue.isCurrent else { return }
    core.publisher.runEvent { if core.event.depth > 1 { run() } }
  }

  /// Takes waiting changes into each ancestor whose queue the caller is on. Without that the ancestor shows
  /// them in its queue's next turn, after code that awaits this context has gone on.
  func runInAncestors() {
    if coordinator.has(.lateAncestors) { return }
    for ancestor in node.ancestors {
      guard let core = ancestor.core, core.ownership.queue.isCurrent, !core.inbox.isEmpty
      else { continue }
      core.catchUp.runIfCurrent()
    }
  }
}
