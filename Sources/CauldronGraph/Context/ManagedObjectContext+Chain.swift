extension ManagedObjectContext {
  /// The context and its ancestors; the last one is on the coordinator.
  ///
  /// ```swift
  /// print(context.parentChain.map(\.name).joined(separator: " → "))
  /// // Untitled Context → Default Context → Root Saving Context
  /// ```
  public var parentChain: [ManagedObjectContext] {
    var chain = [self]
    while let parent = chain[chain.count - 1].parent { chain.append(parent) }
    return chain
  }

  /// Marks objects deleted; see ``delete(_:)-(ManagedObject)``.
  /// - Complexity: O(objects), and what delete rules reach.
  public func delete<Object: ManagedObject>(_ objects: some Sequence<Object>) {
    for object in objects { object.delete() }
  }

  /// Takes in by itself what another context on the same store saves.
  ///
  /// ```swift
  /// let following = main.mergeSaves(of: background)
  /// ```
  /// Each save is merged as ``mergeChanges(fromContextDidSave:)-(ContextChange)`` does it, on this
  /// context's own queue, so that nobody waits for anybody. Neither context is kept.
  /// - Returns: The observation, which lasts as long as it is kept, or until it is cancelled.
  public func mergeSaves(of other: ManagedObjectContext) -> ContextObservation {
    other.observe { [weak self] change in
      guard change.kind == .didSave else { return }
      self?.mergeChanges(fromContextDidSave: change)
    }
  }
}

extension LocalContext {
  /// Marks objects deleted; see ``delete(_:)-(ManagedObject)``.
  public func delete<Object: ManagedObject>(_ objects: some Sequence<Object>) {
    context.delete(objects)
  }
}
