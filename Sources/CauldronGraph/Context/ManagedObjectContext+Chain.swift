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
}
