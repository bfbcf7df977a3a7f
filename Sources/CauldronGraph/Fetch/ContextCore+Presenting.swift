import CauldronModel
import CauldronQuery

extension ContextCore {
  /// The objects of a result that are there: not those that were deleted or rolled back since it was
  /// read.
  /// - Complexity: O(*n*); a statement for each row that has changed since it was read.
  func presentObjects(of storage: FetchedStorage) throws -> [ManagedObject] {
    defer { runWaitingHooks() }
    return try (0..<storage.count).compactMap { position in
      guard let object = object(position, of: storage) else { return nil }
      if object.isFault, !isAsRead(position, of: storage) {
        do {
          try load(object)
        } catch let error as CauldronError where error.code == .objectNotFound {
          return nil
        }
      }
      return object.isAlive ? object : nil
    }
  }

  /// The objects that a query selects in the store alone; they show the unsaved values that the
  /// context sees.
  /// - Complexity: One statement, and one for each object that has unsaved changes in an ancestor.
  func committedObjects(_ query: StoreQuery) throws -> [ManagedObject] {
    let storage = try fetchStorage(query, includesPendingChanges: false)
    defer { runWaitingHooks() }
    return (0..<storage.count).compactMap { position in
      guard let object = object(position, of: storage) else { return nil }
      if object.isFault, isAsRead(position, of: storage) {
        takeOver(storage.row(position), object)
      }
      return object
    }
  }

  /// Whether a row of a result is what the context sees.
  private func isAsRead(_ position: Int, of storage: FetchedStorage) -> Bool {
    let id = storage.id(position)
    guard let layout = coordinator.layout(id) else { return false }
    return storage.isCurrent(position, layout.rootNumber) && !isPending(id)
  }
}
