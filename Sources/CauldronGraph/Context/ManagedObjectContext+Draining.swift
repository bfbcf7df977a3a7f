extension ManagedObjectContext {
  /// Returns once everything that was on the context's queue has run; at once on the queue itself.
  package func drain() {
    core.publisher.performAndWait {}
  }
}

extension ManagedObjectContext {
  /// Ends the event if the caller owns the context, so that children see what was changed.
  package func publishIfCurrent() {
    guard core.ownership.isCallers else { return }
    processPendingChanges()
  }

  /// Takes in what arrived, if the caller is on the context's queue; in the middle of an event, too, as a
  /// save does.
  package func catchUpIfCurrent() {
    core.catchUp.runIfCurrent()
  }
}
