package import CauldronModel

/// A fetch that goes on page by page: each page is read by itself, behind the last row of the one
/// before, so that neither rows nor IDs gather.
///
/// Where the objects have no order and some have unsaved changes, the IDs are taken first: pending rows
/// have no place among the others by which one could go on.
package struct FetchPages<Object: ManagedObject>: Sendable {
  private let request: FetchRequest<Object>
  private let size: Int
  /// How many objects are still wanted.
  private var left: Int
  private var place = Place.start

  private enum Place: Sendable {
    case start
    case behind(PageEnd)
    case ids(ArraySlice<ManagedObjectID>)
    case end
  }

  /// - Parameter size: How many objects a page has, at least one.
  package init(_ request: FetchRequest<Object>, size: Int) {
    self.request = request
    self.size = max(1, size)
    left = request.limit ?? .max
  }

  /// The next page, to be shown by a context; nil at the end.
  package mutating func next(
    in context: ManagedObjectContext
  ) throws -> FetchedResult<Object>? {
    context.prove()
    let core = context.core
    guard let rows = try nextRows(core) else { return nil }
    let storage = FetchedStorage(
      storeNumber: core.coordinator.storeNumber, core.coordinator.ledger.provisional)
    core.coordinator.results.add(storage)
    let chain = core.coordinator.ledger.view(of: core.node)
    for set in chain.layers.flatMap(\.changes.entities) { storage.outdate(set, unsaved: true) }
    storage.fill(rows)
    return FetchedResult(storage: storage)
  }

  /// The columns of the next page; nil at the end.
  package mutating func nextValues(
    _ columns: [QueryExpression], in context: ManagedObjectContext
  ) throws -> [[AttributeScalar]]? {
    context.prove()
    let core = context.core
    guard let rows = try nextRows(core) else { return nil }
    let query = try core.query(request.entityName, Object.self, request.windowed(nil))
    let values = try ValueBinder(core: core, query: query).bind(
      columns: columns, groups: nil, having: nil, order: request.sortKeys, limit: nil, offset: 0,
      isDistinct: false)
    return try core.coordinator.read(core.node) { snapshot in
      try ValueEvaluation(values, SnapshotSource(snapshot)).lines(rows)
    }.0
  }

  private mutating func nextRows(_ core: ContextCore) throws -> RowSet? {
    var query = try core.query(request.entityName, Object.self, request.description)
    let count = min(size, left)
    switch place {
    case .end: return nil
    case .ids(let ids): return try rows(of: ids, count, query, core)
    case .start:
      let isPlaced = !request.includesPendingChanges || !query.sort.isEmpty
      guard !isPlaced, core.hasPending(query) else { break }
      return try rows(of: core.fetchIDs(query)[...], count, query, core)
    case .behind(let end): query = query.following(end)
    }
    query.limit = count
    let (rows, end) = try core.fetchPage(query, committedOnly: !request.includesPendingChanges)
    left -= rows.count
    place = end.flatMap { left > 0 && rows.count == count ? .behind($0) : nil } ?? .end
    return rows.isEmpty ? nil : rows
  }

  /// The rows of the next IDs, those that are still there.
  private mutating func rows(
    of ids: ArraySlice<ManagedObjectID>, _ count: Int, _ query: StoreQuery, _ core: ContextCore
  ) throws -> RowSet? {
    var rest = ids
    while !rest.isEmpty {
      let some = rest.prefix(count)
      rest = rest.dropFirst(count)
      var page = StoreQuery(entity: query.entity)
      page.predicate = .isSelf(Set(some.map { core.followed($0).key }))
      let rows = try core.fetchPage(page, committedOnly: false).rows
      guard !rows.isEmpty else { continue }
      place = rest.isEmpty ? .end : .ids(rest)
      return rows
    }
    place = .end
    return nil
  }
}

extension ContextCore {
  /// Whether the context sees unsaved changes to objects of a query.
  fileprivate func hasPending(_ query: StoreQuery) -> Bool {
    publish()
    return coordinator.ledger.view(of: node).touches(QueryReach(query).entityNumbers)
  }

  /// The rows that a query selects, and where they end.
  fileprivate func fetchPage(
    _ query: StoreQuery, committedOnly: Bool
  ) throws -> (rows: RowSet, end: PageEnd?) {
    publish()
    let page = try withSettledKeys {
      let query = followed(query)
      return try coordinator.read(node) { snapshot in
        let seen = committedOnly ? snapshot.withoutLayers : snapshot
        let rows = try seen.fetch(query, &builder)
        return (rows, try end(of: rows, query, seen))
      }.0
    }
    noticeOthers()
    return page
  }

  private func end(
    of rows: RowSet, _ query: StoreQuery, _ snapshot: Snapshot
  ) throws -> PageEnd? {
    guard !rows.isEmpty else { return nil }
    return try rows.withRows { rows in
      guard let last = rows.last else { return nil }
      let evaluation = RowEvaluation(SnapshotSource(snapshot))
      let values = try query.sort.map { key in
        try evaluation.values(key.expression, [last]).first ?? .null
      }
      return PageEnd(values: values, key: last.key)
    }
  }
}

extension ManagedObjectContext {
  /// Lets go of the objects that nobody holds, between two pages of a long fetch.
  package func dropUnused() {
    guard core.event.objects.isEmpty else { return }
    core.identity.map.sweep()
    core.builder.dropFinishedBlocks()
  }
}
