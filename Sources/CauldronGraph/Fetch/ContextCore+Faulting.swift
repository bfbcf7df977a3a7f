import CauldronModel

extension ContextCore {
  /// The objects with some IDs, of which those that are not registered are faults, whose rows are read
  /// together when one is used.
  func faults(_ ids: [ManagedObjectID], of entity: EntityLayout) -> [ManagedObject] {
    groups.noteFaulted(entity.rootNumber)
    return ids.compactMap(object(with:))
  }
}
