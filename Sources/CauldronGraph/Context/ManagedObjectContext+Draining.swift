extension ManagedObjectContext {
  /// Returns once everything that was on the context's queue has run; at once on the queue itself.
  package func drain() {
    core.performAndWait {}
  }
}

extension ManagedObjectContext {
  /// Ends the event if the caller owns the context, so that children see what was changed.
  package func publishIfCurrent() {
    guard core.ownership.isCallers else { return }
    processPendingChanges()
  }

  /// Takes in what arrived, if the caller is on the context's queue.
  package func catchUpIfCurrent() {
    if core.ownership.queue.isCurrent { core.runEvent {} }
  }

  /// Has the ancestors on whose queue the caller is take in what arrived while it awaited; otherwise
  /// their queues would do so later than code that awaited a block in this context goes on.
  func catchUpAncestors() {
    for ancestor in core.node.ancestors {
      guard let core = ancestor.core, core.ownership.queue.isCurrent, !core.inbox.isEmpty
      else { continue }
      core.runEvent {}
    }
  }
}
