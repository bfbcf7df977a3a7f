import CauldronLedger
import CauldronModel

// When a context catches up at once, and not in an event that follows. Arrived changes are shown
// where the calling code has the context: elsewhere an event is on its way.
extension CatchUp {
  /// Whether a save that has ended has left something to take in: derived values of the store or,
  /// where the save has `changed` on its way, the outcome of a merge policy or of a refusal further
  /// up.
  private func isBehind(_ changed: Bool) -> Bool {
    changed || coordinator.managedObjectModel.hasDerived
  }

  /// Has the objects of the context, and of the ancestors on its queue, show the outcome of an
  /// ended save, where the caller owns the context; elsewhere they do so in an event that follows.
  package func runAfterSave(changed: Bool) {
    guard isBehind(changed) else { return }
    runInAncestors()
    runNow()
  }

  /// Whether code on the main queue, which begins no event, would look at something old after a save.
  package func isDue(changed: Bool) -> Bool { core.ownership.kind == .main && isBehind(changed) }

  /// Brings a main context up to a save that has ended. Where the calling code uses another context, an
  /// event of the main context begins.
  package func runOnMain(changed: Bool) {
    if isDue(changed: changed) { runNow() }
  }

  private func runNow() {
    guard !core.inbox.isEmpty, core.ownership.canRunHere else { return }
    core.publisher.hold { runInEvent() }
    core.ownership.endClaim(.open)
  }

  private func runInEvent() {
    core.publisher.runEvent {
      // A save is a moment at which objects change, also in the middle of an event.
      if core.event.depth > 1 { run() }
    }
  }

  /// Takes in what has arrived where the caller is on the context's queue, and ends what was done so far;
  /// in the middle of an event, too, as a save does.
  func runIfCurrent() {
    if core.ownership.queue.isCurrent { runInEvent() }
  }

  /// Takes waiting changes into each ancestor whose queue the caller is on. Without that the ancestor shows
  /// them in its queue's next turn, after code that awaits this context has gone on.
  package func runInAncestors() {
    if coordinator.has(.lateAncestors) { return }
    for core in node.ancestors.compactMap(\.core) where !core.inbox.isEmpty {
      core.catchUp.runIfCurrent()
    }
  }
}
