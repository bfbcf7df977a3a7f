public import CauldronModel
import CauldronQuery

extension ManagedObjectContext {
  /// The objects that a request selects, the unsaved changes of this context and its ancestors
  /// included.
  ///
  /// Objects that are registered already are returned as they are.
  /// - Throws: `model.unknownEntity`, `query.…` for a request that cannot be answered, `store.…`.
  /// - Complexity: One statement, and those of prefetching; with pending changes one more, and O(pending
  ///   rows).
  public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object] {
    prove()
    let query = try core.query(request.entityName, Object.self, request.description)
    let prefetch = try PrefetchPlan(request.relationshipKeyPathsForPrefetching, query.entity)
    let objects = try core.objects(request, query)
    core.prefetch(prefetch, for: objects)
    core.runWaitingHooks()
    return objects
  }

  /// How many objects a request selects, unsaved changes included.
  /// - Throws: As `fetch(_:)`.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public func count<Object: ManagedObject>(for request: FetchRequest<Object>) throws -> Int {
    prove()
    let query = try core.query(request.entityName, Object.self, request.description)
    return request.includesPendingChanges
      ? try core.count(query) : try core.fetchCommittedIDs(query).count
  }

  /// The IDs of the objects that a request selects, in its order; no attribute is read.
  /// - Throws: As `fetch(_:)`.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public func fetchObjectIDs<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> [ManagedObjectID] {
    prove()
    let query = try core.query(request.entityName, Object.self, request.description)
    return request.includesPendingChanges
      ? try core.fetchIDs(query) : try core.fetchCommittedIDs(query)
  }

  /// Makes sure that the calling code owns the context.
  func prove() {
    if !core.ownership.isCurrent { core.proveOwner() }
  }
}

/// A request without its object type.
struct RequestDescription {
  let predicate: PredicateNode?
  let sortKeys: [SortKey]
  let limit: Int?
  let offset: Int
  let includesSubentities: Bool
}

extension FetchRequest {
  /// The request for the objects in a window alone, or for all, in no order.
  func windowed(_ window: ObjectWindow?) -> RequestDescription {
    RequestDescription(
      predicate: predicate, sortKeys: window?.sortKeys ?? [], limit: window?.limit,
      offset: window?.offset ?? 0, includesSubentities: includesSubentities)
  }

  var description: RequestDescription {
    RequestDescription(
      predicate: predicate, sortKeys: sortKeys, limit: limit, offset: offset,
      includesSubentities: includesSubentities)
  }
}

extension CauldronError {
  /// A class that the `@Entity` of its superclass does not describe.
  static func withoutEntity(_ type: ManagedObject.Type, _ layout: EntityLayout) -> CauldronError {
    CauldronError(
      .modelInvalid,
      "\(type) inherits the entity \"\(layout.name)\" of its superclass and has none of its own.",
      hint: "Mark the class '@Entity'; where the model is given, pass the class to it."
    ).with { $0.entity = layout.name }
  }
}

extension ContextCore {
  /// The objects that a request selects.
  fileprivate func objects<Object: ManagedObject>(
    _ request: FetchRequest<Object>, _ query: StoreQuery
  ) throws -> [Object] {
    if request.returnsObjectsAsFaults {
      let ids =
        request.includesPendingChanges ? try fetchIDs(query) : try fetchCommittedIDs(query)
      return faults(ids, of: query.entity).compactMap { $0 as? Object }
    }
    guard request.includesPendingChanges else {
      return try committedObjects(query).compactMap { $0 as? Object }
    }
    let rows = try fetchRows(query)
    // The entity decides the class of an object, so that one test serves for all.
    guard isAlways(Object.self, query) else {
      let objects: [ManagedObject] = objects(
        rows, refreshing: request.shouldRefreshRefetchedObjects)
      return objects as? [Object] ?? []
    }
    return objects(rows, refreshing: request.shouldRefreshRefetchedObjects)
  }

  /// The layout of a class's entity, or of the entity with a name.
  func layout(_ name: String?, _ type: ManagedObject.Type) throws -> EntityLayout {
    let model = coordinator.managedObjectModel
    if name == nil, let number = classes.number(type),
      let layout = model.layout(number: number)
    {
      return layout
    }
    let isNamed = name != nil
    let name = name ?? type._entityName
    if let layout = model.layout(named: name) {
      guard isNamed || !classes.onlyInherits(type, layout) else {
        throw CauldronError.withoutEntity(type, layout)
      }
      return layout
    }
    throw CauldronError(
      .modelUnknownEntity, "No entity \"\(name)\" in model \"\(model.name)\".",
      hint: Suggestion.hint(for: name, among: model.entityLayouts.map(\.name)))
  }

  /// Whether all objects that a query may return are of a class.
  func isAlways<Object: ManagedObject>(_ type: Object.Type, _ query: StoreQuery) -> Bool {
    if query.entity.family.count == 1 || !query.includesSubentities {
      let own = classes.type(query.entity)
      return own == type || own is Object.Type
    }
    return query.entity.family.allSatisfy { classes.type($0.entity) is Object.Type }
  }

  /// Refuses a window that begins or ends before the first object.
  func check(limit: Int?, offset: Int, _ entity: EntityLayout) throws {
    if let limit, limit < 0 { throw CauldronError.negative("limit", limit, entity) }
    if offset < 0 { throw CauldronError.negative("offset", offset, entity) }
  }

  func query(
    _ name: String?, _ type: ManagedObject.Type, _ request: RequestDescription
  ) throws -> StoreQuery {
    let entity = try layout(name, type)
    try check(limit: request.limit, offset: request.offset, entity)
    var query = StoreQuery(entity: entity)
    query.includesSubentities = request.includesSubentities
    query.predicate = try request.predicate?.bound(
      to: entity, storeNumber: coordinator.storeNumber)
    query.sort = try request.sortKeys.map { try $0.bound(to: entity, coordinator.storeNumber) }
    query.limit = request.limit
    query.offset = request.offset
    return query
  }
}
