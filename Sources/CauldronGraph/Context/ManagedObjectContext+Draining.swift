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

  /// Takes waiting changes into each ancestor whose queue the caller is on. Without that the ancestor shows
  /// them in its queue's next turn, after code that awaits this context has gone on.
  func catchUpAncestors() {
    for ancestor in core.node.ancestors {
      guard let core = ancestor.core, core.ownership.queue.isCurrent, !core.inbox.isEmpty
      else { continue }
      core.runEvent {}
    }
  }
}
