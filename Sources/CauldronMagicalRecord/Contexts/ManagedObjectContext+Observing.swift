public import Cauldron

extension ManagedObjectContext {
  /// Takes in what another context saves, on this context's own queue, until ``mr_stopObserving(_:)``.
  @available(*, deprecated, message: "keep what 'mergeSaves(of: other)' returns")
  public func mr_observe(_ other: ManagedObjectContext) { Observations.begin(self, other) }

  /// Takes in what another context saves, on this context's own queue, until ``mr_stopObserving(_:)``.
  @available(*, deprecated, message: "keep what 'mergeSaves(of: other)' returns")
  public func mr_observe(onMainThread other: ManagedObjectContext) {
    Observations.begin(self, other)
  }

  /// Takes in no more of what another context saves.
  @available(*, deprecated, message: "cancel what 'mergeSaves(of: other)' has returned")
  public func mr_stopObserving(_ other: ManagedObjectContext) { Observations.end(self, other) }
}
