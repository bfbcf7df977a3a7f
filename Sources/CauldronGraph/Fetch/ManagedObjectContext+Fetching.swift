public import CauldronLedger
public import CauldronModel
import CauldronQuery
import CauldronStore

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
    let query = try core.requests.query(
      named: request.entityName, of: Object.self, for: request.description)
    let prefetch = try PrefetchPlan(request.relationshipKeyPathsForPrefetching, query.entity)
    let objects = try objects(request, query: query)
    self.prefetch(prefetch, for: objects)
    core.hooks.runWaitingHooks()
    return objects
  }

  /// How many objects a request selects, unsaved changes included.
  /// - Throws: As `fetch(_:)`.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public func count<Object: ManagedObject>(for request: FetchRequest<Object>) throws -> Int {
    prove()
    let query = try core.requests.query(
      named: request.entityName, of: Object.self, for: request.description)
    core.publisher.publishForQuery()
    return try core.fetcher.count(
      query, includesPendingChanges: request.includesPendingChanges)
  }

  /// The IDs of the objects that a request selects, in its order; no attribute is read.
  /// - Throws: As `fetch(_:)`.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public func fetchObjectIDs<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> [ManagedObjectID] {
    prove()
    let query = try core.requests.query(
      named: request.entityName, of: Object.self, for: request.description)
    core.publisher.publishForQuery()
    return try core.fetcher.ids(query, includesPendingChanges: request.includesPendingChanges)
  }

  /// How the store answers a request; see `explain` of a query.
  /// - Throws: `query.…`, `store.…`.
  public func explain<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> QueryExplanation {
    prove()
    let query = try core.requests.query(
      named: request.entityName, of: Object.self, for: request.description)
    let reader = try core.coordinator.store.reader()
    defer { reader.finish() }
    return QueryExplanation(try reader.explain(query))
  }

  /// The objects that a request selects.
  private func objects<Object: ManagedObject>(
    _ request: FetchRequest<Object>, query: StoreQuery
  ) throws -> [Object] {
    core.publisher.publishForQuery()
    if request.returnsObjectsAsFaults {
      let ids = try core.fetcher.ids(
        query, includesPendingChanges: request.includesPendingChanges)
      return core.presenter.faults(ids, of: query.entity).compactMap { $0 as? Object }
    }
    guard request.includesPendingChanges else {
      return try core.presenter.committedObjects(query).compactMap { $0 as? Object }
    }
    let rows = try core.fetcher.rows(query)
    // The entity decides the class of an object, so that one test serves for all.
    guard core.requests.isAlways(Object.self, query: query) else {
      let objects: [ManagedObject] = core.reader.objects(
        rows, refreshing: request.shouldRefreshRefetchedObjects)
      return objects as? [Object] ?? []
    }
    return core.reader.objects(rows, refreshing: request.shouldRefreshRefetchedObjects)
  }

  /// Makes sure that the calling code owns the context.
  package func prove() {
    if !core.ownership.isCurrent { core.proveOwner() }
  }
}

extension FetchRequest {
  /// The request for the objects in a window alone, or for all, in no order.
  func windowed(_ window: ObjectWindow?) -> RequestDescription {
    RequestDescription(
      predicate: predicate, sortKeys: window?.sortKeys ?? [], limit: window?.limit,
      offset: window?.offset ?? 0, includesSubentities: includesSubentities)
  }

  package var description: RequestDescription {
    RequestDescription(
      predicate: predicate, sortKeys: sortKeys, limit: limit, offset: offset,
      includesSubentities: includesSubentities)
  }
}

extension CauldronError {
  /// A class that the `@Entity` of its superclass does not describe.
  static func withoutEntity(_ type: ManagedObject.Type, of layout: EntityLayout) -> CauldronError {
    CauldronError(
      .modelInvalid,
      "\(type) inherits the entity \"\(layout.name)\" of its superclass and has none of its own.",
      hint: "Mark the class '@Entity'; where the model is given, pass the class to it."
    ).with { $0.entity = layout.name }
  }
}

extension ManagedObjectContext {
  /// How many objects a to-many relationship leads to, for many owners at once; unsaved changes of the
  /// context and its ancestors count.
  ///
  /// ```swift
  /// let sizes = try context.counts(of: "employees", for: companies)    // sizes[acme.objectID] == 12
  /// ```
  /// - Parameters:
  ///   - relationship: The name of a to-many relationship.
  ///   - owners: Objects of this context; those that are deleted, or gone, get no number.
  /// - Throws: `query.…` where the owners have no such relationship, `store.…`.
  /// - Complexity: One statement for each entity that owners are of; with pending changes the rows are
  ///   read. Where others have deleted one of n owners, 2 log n more.
  public func counts(
    of relationship: String, for owners: [ManagedObject]
  ) throws -> [ManagedObjectID: Int] {
    prove()
    core.publisher.publishForQuery()
    var counts: [ManagedObjectID: Int] = [:]
    let present = owners.filter { $0.isAlive }
    for (name, some) in Dictionary(grouping: present, by: \.layout.name) {
      try count(relationship, of: some, named: name, into: &counts)
    }
    return counts
  }

  private func count(
    _ relationship: String, of owners: [ManagedObject], named name: String,
    into counts: inout [ManagedObjectID: Int]
  ) throws {
    var (ids, lines) = try lines(relationship, of: owners, named: name)
    // Keys were exchanged meanwhile, and with them the order.
    while ids != sortedIDs(of: owners) {
      (ids, lines) = try self.lines(relationship, of: owners, named: name)
    }
    // Lines come by the keys of their objects; where one is gone meanwhile, none is told from another.
    guard lines.count == ids.count else {
      if owners.count == 1 { return }
      let middle = owners.count / 2
      for half in [owners[..<middle], owners[middle...]] {
        try count(relationship, of: Array(half), named: name, into: &counts)
      }
      return
    }
    for (id, line) in zip(ids, lines) {
      if case .integer(let count) = line[0] { counts[id] = Int(count) }
    }
  }

  private func sortedIDs(of owners: [ManagedObject]) -> [ManagedObjectID] {
    core.keys.followExchanges()
    return Set(owners.map(\.objectID)).sorted { $0.key < $1.key }
  }

  private func lines(
    _ relationship: String, of owners: [ManagedObject], named name: String
  ) throws -> ([ManagedObjectID], [[AttributeScalar]]) {
    let ids = sortedIDs(of: owners)
    var objects = FetchRequest<ManagedObject>(entityName: name)
    objects.predicate = .isSelf(ids)
    var request = ValueRequest(objects)
    request.columns = [.aggregate(.count, of: PropertyPath(relationship), nil)]
    return (ids, try fetchValues(request))
  }
}
