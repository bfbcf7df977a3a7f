import CauldronLedger
package import CauldronModel
package import CauldronQuery

/// Makes queries of requests: finds the entity, checks and binds what is asked for.
package struct RequestResolver {
  package let place: Place

  /// The layout of a class's entity, or of the entity with a name.
  package func layout(named name: String?, for type: ManagedObject.Type) throws -> EntityLayout {
    let model = place.coordinator.managedObjectModel
    if name == nil, let number = place.classes.number(type),
      let layout = model.layout(number: number)
    {
      return layout
    }
    let isNamed = name != nil
    let name = name ?? type._entityName
    if let layout = model.layout(named: name) {
      guard isNamed || !place.classes.onlyInherits(type, of: layout) else {
        throw CauldronError.withoutEntity(type, of: layout)
      }
      return layout
    }
    throw CauldronError(
      .modelUnknownEntity, "No entity \"\(name)\" in model \"\(model.name)\".",
      hint: Suggestion.hint(for: name, among: model.entityLayouts.map(\.name)))
  }

  /// Whether all objects that a query may return are of a class.
  package func isAlways<Object: ManagedObject>(_ type: Object.Type, query: StoreQuery) -> Bool {
    if query.entity.family.count == 1 || !query.includesSubentities {
      let own = place.classes.type(query.entity)
      return own == type || own is Object.Type
    }
    return query.entity.family.allSatisfy { place.classes.type($0.entity) is Object.Type }
  }

  /// Refuses a window that begins or ends before the first object.
  func check(limit: Int?, offset: Int, _ entity: EntityLayout) throws {
    if let limit, limit < 0 { throw CauldronError.negative("limit", limit, entity) }
    if offset < 0 { throw CauldronError.negative("offset", offset, entity) }
  }

  package func query(
    named name: String?, of type: ManagedObject.Type, for request: RequestDescription
  ) throws -> StoreQuery {
    let entity = try layout(named: name, for: type)
    try check(limit: request.limit, offset: request.offset, entity)
    var query = StoreQuery(entity: entity)
    query.includesSubentities = request.includesSubentities
    query.predicate = try request.predicate?.bound(
      to: entity, storeNumber: place.coordinator.storeNumber)
    query.sort = try request.sortKeys.map {
      try $0.bound(to: entity, place.coordinator.storeNumber)
    }
    query.limit = request.limit
    query.offset = request.offset
    return query
  }
}

/// A request without its object type.
package struct RequestDescription {
  let predicate: PredicateNode?
  let sortKeys: [SortKey]
  let limit: Int?
  let offset: Int
  let includesSubentities: Bool
}
