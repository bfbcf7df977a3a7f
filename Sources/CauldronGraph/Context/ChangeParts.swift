public import CauldronModel

/// What happened to objects besides what change sets tell.
struct ChangeParts: Sendable {
  /// Objects that were created and are gone again without a save.
  var discarded: [ManagedObjectID] = []
  /// Registered objects that show another row now.
  var refreshed: [ManagedObjectID] = []
  /// Registered objects whose rows were found to be gone.
  var invalidated: [ManagedObjectID] = []
  /// Every object that a reset has made unusable; nil for other changes.
  var invalidatedAll: [ManagedObjectID]?

  var isEmpty: Bool {
    discarded.isEmpty && refreshed.isEmpty && invalidated.isEmpty && invalidatedAll == nil
  }
}

extension ContextChange {
  /// The registered objects that took in changes saved elsewhere, or got other values by
  /// ``ManagedObjectContext``'s `refresh` and `rollback`; faults are not among them.
  /// - Complexity: O(refreshed objects).
  public var refreshed: [ManagedObjectID] { unique(objects(parts.refreshed).map(followed)) }

  /// The registered objects that were found to be deleted elsewhere, where the change sets were too
  /// many to be kept.
  public var invalidated: [ManagedObjectID] { objects(parts.invalidated) }

  /// The objects that a reset has made unusable; empty for all other changes.
  public var invalidatedAll: [ManagedObjectID] { objects(parts.invalidatedAll ?? []) }

  private func unique(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
    var seen = Set<ManagedObjectID>(minimumCapacity: ids.count)
    return ids.filter { seen.insert($0).inserted }
  }
}
