import CauldronModel

extension ManagedObjectContext {
  /// The objects that a request selects, the unsaved changes of this context and its ancestors
  /// included.
  ///
  /// Objects that are registered already are returned as they are.
  /// - Throws: `model.unknownEntity`, `query.…` for a request that cannot be answered, `store.…`.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object] {
    prove()
    let query = try core.query(request.entityName, Object.self, request.description)
    let objects = core.objects(try core.fetchRows(query))
    // The entity's class decides the class of every object, so that one test serves for all.
    return objects as? [Object] ?? []
  }

  /// How many objects a request selects, unsaved changes included.
  /// - Throws: As `fetch(_:)`.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public func count<Object: ManagedObject>(for request: FetchRequest<Object>) throws -> Int {
    prove()
    return try core.count(core.query(request.entityName, Object.self, request.description))
  }

  /// Makes sure that the calling code owns the context.
  func prove() {
    if core.owner != Scheduler.thread { core.proveOwner() }
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
  var description: RequestDescription {
    RequestDescription(
      predicate: predicate, sortKeys: sortKeys, limit: limit, offset: offset,
      includesSubentities: includesSubentities)
  }
}

extension ContextCore {
  /// The layout of a class's entity, or of the entity with a name.
  func layout(_ name: String?, _ type: ManagedObject.Type) throws -> EntityLayout {
    let model = coordinator.managedObjectModel
    if name == nil, let number = coordinator.classes.number(type),
      let layout = model.layout(number: number)
    {
      return layout
    }
    let name = name ?? type._entityName
    if let layout = model.layout(named: name) { return layout }
    throw CauldronError(
      .modelUnknownEntity, "No entity \"\(name)\" in model \"\(model.name)\".",
      hint: Suggestion.hint(for: name, among: model.layouts.map(\.name)))
  }

  func query(
    _ name: String?, _ type: ManagedObject.Type, _ request: RequestDescription
  ) throws -> StoreQuery {
    let entity = try layout(name, type)
    var query = StoreQuery(entity: entity)
    query.includesSubentities = request.includesSubentities
    query.predicate = try request.predicate?.bound(to: entity)
    query.sort = try request.sortKeys.map {
      StoreQuery.SortKey(
        property: try PredicateNode.attribute($0.key, entity), ascending: $0.ascending)
    }
    query.limit = request.limit.map { max(0, $0) }
    query.offset = max(0, request.offset)
    return query
  }
}
