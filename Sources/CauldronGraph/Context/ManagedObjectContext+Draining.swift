extension ManagedObjectContext {
  /// Returns once everything that was on the context's queue has run; at once on the queue itself.
  package func drain() {
    core.performAndWait {}
  }
}

extension ManagedObjectContext {
  /// Takes in what arrived, if the caller is on the context's queue.
  package func catchUpIfCurrent() {
    if core.ownership.queue.isCurrent { core.runEvent {} }
  }
}
