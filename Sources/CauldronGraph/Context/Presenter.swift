import CauldronLedger
import CauldronModel
import CauldronQuery

/// Makes objects of what was fetched: of rows that wait in a result, of IDs, of a batch.
///
/// It publishes nothing: a call ends the running event first where its query has to find the event's
/// changes.
struct Presenter {
  let reader: Reader

  private var place: Place { reader.place }
  private var registry: Registry { reader.registry }
  private var keys: ObjectKeys { reader.keys }
  private var hooks: Hooks { reader.hooks }
  private var fetcher: Fetcher { Fetcher(keys: keys) }

  /// The objects of a result that are there: not those that were deleted or rolled back since it was
  /// read.
  /// - Complexity: O(*n*); a statement for each row that has changed since it was read.
  func presentObjects(of storage: FetchedStorage) throws -> [ManagedObject] {
    defer { hooks.runWaitingHooks() }
    return try (0..<storage.count).compactMap { position in
      guard let object = object(position, of: storage) else { return nil }
      if object.isFault, !isAsRead(position, of: storage) {
        do {
          try reader.load(object)
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
    let storage = try fetcher.storage(query, includesPendingChanges: false)
    defer { hooks.runWaitingHooks() }
    return (0..<storage.count).compactMap { position in
      guard let object = object(position, of: storage) else { return nil }
      if object.isFault, isAsRead(position, of: storage) {
        reader.takeOver(storage.row(position), for: object)
      }
      return object
    }
  }

  /// Whether a row of a result is what the context sees.
  private func isAsRead(_ position: Int, of storage: FetchedStorage) -> Bool {
    let id = storage.id(position)
    guard let layout = place.coordinator.layout(id) else { return false }
    return storage.isCurrent(position, root: layout.rootNumber) && !isPending(id)
  }

  /// The registered object of a row, or a new one that shows it.
  func object(_ position: Int, of storage: FetchedStorage) -> ManagedObject? {
    keys.followExchanges()
    let id = storage.id(position)
    guard let layout = place.coordinator.layout(id) else { return nil }
    let root = layout.rootNumber
    if let object = keys.registeredObject(id) { return object }
    // A fault reads what this context sees.
    guard registry.object(id.key, root: root) == nil, storage.isCurrent(position, root: root),
      !isPending(id)
    else { return reader.object(with: id) }
    let row = storage.row(position)
    let object = registry.makeObject(of: layout, key: id.key, row: row, state: .shown)
    registry.insert(object, key: id.key, root: root)
    hooks.noteFilled(object)
    return object
  }

  /// Whether the context sees an unsaved change to an object.
  func isPending(_ id: ManagedObjectID) -> Bool {
    let chain = place.coordinator.ledger.view(of: place.node)
    return !chain.isEmpty && chain.newest(id) != nil
  }

  /// The objects with some IDs, of which those that are not registered are faults, whose rows are read
  /// together when one is used.
  func faults(_ ids: [ManagedObjectID], of entity: EntityLayout) -> [ManagedObject] {
    reader.groups.noteFaulted(entity.rootNumber)
    return ids.compactMap(reader.object(with:))
  }

  /// Those of the IDs whose objects show no rows.
  func unread(_ ids: ArraySlice<ManagedObjectID>) -> [ManagedObjectID] {
    ids.filter { id in
      keys.registeredObject(id).map { $0.isFault } ?? true
    }
  }

  /// The objects with some IDs; the rows of those that show none are read together.
  func batch(
    _ ids: ArraySlice<ManagedObjectID>, reading unread: [ManagedObjectID], of entity: EntityLayout
  ) -> [ManagedObject?] {
    var read: [ManagedObject] = []
    if !unread.isEmpty {
      var query = StoreQuery(entity: entity)
      query.predicate = .isSelf(Set(unread.map { keys.followed($0).key }))
      // What cannot be read now stays a fault, which tells why.
      read = (try? fetcher.rows(query)).map { reader.objects($0) } ?? []
    }
    return withExtendedLifetime(read) { ids.map { reader.object(with: $0) } }
  }
}
